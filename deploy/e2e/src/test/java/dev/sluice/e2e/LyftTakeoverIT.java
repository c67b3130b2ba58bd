package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.OnTestCluster;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Application;
import dev.sluice.e2e.job.CountsBefore;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.FlinkJob;
import dev.sluice.e2e.job.LyftsOperator;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Taking an application over from Lyft's operator: see docs/flinkapplication.md. */
@Tag("e2e")
@OnTestCluster
class LyftTakeoverIT {

  @Test
  void anApplicationOfLyftsOperatorIsAdoptedWithoutARestartAndThenUpgraded(Scene scene)
      throws Exception {
    // given
    Application words = scene.application("words");
    Manifest manifest = words.manifest();
    new LyftsOperator(scene, words).deploy(manifest);
    FlinkCluster flink = words.flink(LyftsOperator.HASH);
    List<FlinkJob> jobs = flink.overview();
    List<String> pods = pods(flink);

    // when
    Resource adopted = words.deploy(manifest);

    // then
    assertThat(adopted.status("/deployHash")).isEqualTo(LyftsOperator.HASH);
    assertThat(adopted.status("/deployment/deployed/jobId")).isEqualTo(jobs.get(0).id());
    assertThat(flink.overview()).isEqualTo(jobs);
    assertThat(pods(flink)).isEqualTo(pods);
    assertThat(words.deployments()).containsExactly("words-1f2e3d4c-jm", "words-1f2e3d4c-tm");

    // when
    CountsBefore before = CountsBefore.of(words);
    Resource upgraded = words.deploy(manifest.spec("programArgs", "--rate 26 --keys 10"));

    // then
    String hash = upgraded.status("/deployHash");
    before.verifyExactFromOneSavepoint();
    assertThat(hash).isNotEqualTo(LyftsOperator.HASH);
    assertThat(words.deployments())
        .containsExactly("words-" + hash + "-jm", "words-" + hash + "-tm");
    assertThat(words.objects())
        .contains("Service/words", "Service/words-" + hash)
        .doesNotContain("Service/words-1f2e3d4c");
    assertThat(words.leadsTo("words"))
        .isEqualTo(
            words
                .flink()
                .jobManager()
                .orElseThrow()
                .getMetadata()
                .getLabels()
                .get("pod-deployment-selector"));

    // when
    words.delete();

    // then
    assertThat(words.objects()).isEmpty();
  }

  /** With how often their containers were started again. */
  private static List<String> pods(FlinkCluster flink) {
    return flink.pods().stream()
        .map(
            it ->
                it.getMetadata().getUid()
                    + " "
                    + it.getStatus().getContainerStatuses().get(0).getRestartCount())
        .sorted()
        .toList();
  }
}
