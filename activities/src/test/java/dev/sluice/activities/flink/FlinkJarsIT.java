package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.api.common.FlinkJobState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jars and runs, on a real Flink. */
@OnFlink(FlinkVersion.V2_2)
@Execution(ExecutionMode.CONCURRENT)
class FlinkJarsIT {

  private final FlinkCluster cluster;
  private final Endpoint at;
  private final OkHttpFlinkJars jars =
      new OkHttpFlinkJars(OkHttpFlinkJars.options(Duration.ofMinutes(2)), MockFlink.LOOPBACK);
  private final String name = "test-" + SampleJob.newId() + ".jar";
  private final String jobId = SampleJob.newId();

  FlinkJarsIT(FlinkCluster cluster) {
    this.cluster = cluster;
    this.at = cluster.endpoint();
  }

  @BeforeEach
  @AfterEach
  void noJobOfThisTestRuns() {
    if (cluster.rest().jobsOverview(at).job(jobId).isPresent()) {
      cluster.rest().cancel(at, jobId);
    }
  }

  private String upload() {
    return jars.upload(at, SampleJob.file().toPath(), name);
  }

  private JarRun run(Map<String, String> configuration, String... arguments) {
    return new JarRun(
        cluster.version().api(),
        jobId,
        null,
        List.of(arguments),
        1,
        null,
        false,
        null,
        configuration);
  }

  @Test
  void anUploadedJarRunsUnderTheIdThatWasChosen() {
    String jar = upload();

    assertThat(jars.run(at, jar, run(Map.of()))).isEqualTo(new RunAnswer.Submitted());
    new SampleJob(cluster, jobId).running();
  }

  @Test
  void theConfigurationOfTheJobIsTaken() {
    String jar = upload();

    jars.run(at, jar, run(Map.of("execution.checkpointing.interval", "77s")));

    assertThat(cluster.rest().checkpointSettings(at, jobId).orElseThrow().interval())
        .contains(Duration.ofSeconds(77));
  }

  @Test
  void aSecondRunUnderTheSameIdIsKnownAlreadyAndStartsNothing() {
    String jar = upload();
    jars.run(at, jar, run(Map.of()));
    new SampleJob(cluster, jobId).running();

    RunAnswer second = jars.run(at, jar, run(Map.of()));

    assertThat(second).isInstanceOf(RunAnswer.KnownAlready.class);
    assertThat(
            cluster.rest().jobsOverview(at).jobs().stream()
                .filter(job -> job.jobId().equals(jobId)))
        .hasSize(1);
  }

  @Test
  void theIdOfAJobThatEndedIsKnownAlreadyToo() {
    String jar = upload();
    jars.run(at, jar, run(Map.of()));
    SampleJob job = new SampleJob(cluster, jobId).running();
    cluster.rest().cancel(at, jobId);
    job.in(FlinkJobState.CANCELED);

    assertThat(jars.run(at, jar, run(Map.of()))).isInstanceOf(RunAnswer.KnownAlready.class);
  }

  @Test
  void aStateThatIsNotThereIsRefused() {
    String jar = upload();
    JarRun lost =
        new JarRun(
            cluster.version().api(),
            jobId,
            null,
            List.of(),
            1,
            "file:///no/such/savepoint",
            false,
            null,
            Map.of());

    assertThat(jars.run(at, jar, lost))
        .isInstanceOfSatisfying(
            RunAnswer.Refused.class,
            refused -> assertThat(refused.why()).contains("/no/such/savepoint"));
  }

  @Test
  void aClassThatIsNotThereIsRefused() {
    String jar = upload();
    JarRun wrong =
        new JarRun(
            cluster.version().api(),
            jobId,
            "no.such.Main",
            List.of(),
            1,
            null,
            false,
            null,
            Map.of());

    assertThat(jars.run(at, jar, wrong))
        .isInstanceOfSatisfying(
            RunAnswer.Refused.class, refused -> assertThat(refused.why()).contains("no.such.Main"));
  }

  @Test
  void aDeletedJarIsMissingAndMayBeDeletedAgain() {
    String jar = upload();

    assertThat(jars.list(at)).anyMatch(it -> it.id().equals(jar) && it.name().equals(name));
    jars.delete(at, jar);
    jars.delete(at, jar);
    assertThat(jars.list(at)).noneMatch(it -> it.id().equals(jar));

    assertThat(jars.run(at, jar, run(Map.of()))).isInstanceOf(RunAnswer.JarMissing.class);
  }
}
