package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.local.demo.Counts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("e2e")
@OnTestCluster
class DeployIT {

  @Test
  void aManifestBecomesARunningJob(Scene scene) {
    // given
    Job job = scene.job("orders");

    // when
    job.apply(job.manifest());

    // then
    scene
        .cluster()
        .kubectl()
        .run(
            "wait",
            "-n",
            job.namespace(),
            "flinkdep/orders",
            "--for=condition=Ready",
            "--timeout=240s");
    assertThat(
            scene
                .cluster()
                .kubectl()
                .run("get", "flinkdep", "-n", job.namespace(), "-o", "wide")
                .lines())
        .satisfiesExactly(
            header ->
                assertThat(header.split("\\s{2,}"))
                    .containsExactly(
                        "NAME",
                        "JOB STATUS",
                        "LIFECYCLE STATE",
                        "OPERATION STATE",
                        "STEP",
                        "OPERATION",
                        "READY"),
            row ->
                assertThat(row.split("\\s{2,}"))
                    .containsExactly(
                        "orders",
                        "RUNNING",
                        "STABLE",
                        "Succeeded",
                        "MarkStable",
                        "Deploy",
                        "True"));
    Counts counts = job.counts();
    assertThat(counts.exact()).as("%s", counts).isTrue();
    assertThat(job.lane().types()).containsExactly("Deploy");
    job.lane().awaitCompleted();
  }
}
