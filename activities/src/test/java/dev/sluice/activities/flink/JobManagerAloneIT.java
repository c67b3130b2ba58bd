package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException.NotFound;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.api.common.FlinkJobState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a JobManager says when it has no TaskManager, an old cache, or lost its memory. */
class JobManagerAloneIT {

  private static final Map<String, String> CACHE_FOR_EVER =
      Map.of("web.refresh-interval", "3600000");

  @TempDir Path folder;

  @Test
  void itIsBelievedWhereItIsRightAndDoubtedWhereItIsNot() {
    isBelievedAndDoubted(FlinkVersion.V2_2);
  }

  @Test
  @Tag("slow")
  void itIsBelievedWhereItIsRightAndDoubtedWhereItIsNotOnFlink120() {
    isBelievedAndDoubted(FlinkVersion.V1_20);
  }

  private void isBelievedAndDoubted(FlinkVersion version) {
    try (FlinkCluster cluster = FlinkCluster.startJobManagerOnly(version, CACHE_FOR_EVER)) {
      runningWithoutATaskIsNotRunning(cluster);
      aSavepointWithoutAPlaceIsRejected(cluster);
      aSavepointWithoutATaskFailsForTheMoment(cluster);
      theStateIsFreshWhileFlinksOwnPageIsStale(cluster);
      try (OkHttpFlinkJars jars =
          new OkHttpFlinkJars(OkHttpFlinkJars.options(Duration.ofMinutes(2)), MockFlink.LOOPBACK)) {
        aMainMethodWhoseJarIsDeletedSubmitsNothing(cluster, jars);
        aMainMethodThatSubmitsItsJobIsSeen(cluster, jars);
      }
      aLostMemoryMakesOperationsUnknown(cluster);
    }
  }

  private void aMainMethodWhoseJarIsDeletedSubmitsNothing(
      FlinkCluster cluster, OkHttpFlinkJars jars) {
    String id = SampleJob.newId();
    Endpoint at = cluster.endpoint();
    String jar = jars.upload(at, SampleJob.file().toPath(), "main.jar");
    Path file = held();
    CompletableFuture<RunAnswer> run =
        CompletableFuture.supplyAsync(
            () -> jars.run(at, jar, run(cluster, id, "--main-while-file", file)));
    await().until(() -> SampleJob.isInMain(cluster));
    assertThat(jars.maySubmit(at)).isTrue();

    jars.delete(at, jar);
    released(file);

    assertThat(run.join()).isInstanceOf(RunAnswer.Refused.class);
    assertThat(cluster.rest().jobsOverview(at).job(id)).isEmpty();
    await().until(() -> !jars.maySubmit(at));
  }

  private void aMainMethodThatSubmitsItsJobIsSeen(FlinkCluster cluster, OkHttpFlinkJars jars) {
    String id = SampleJob.newId();
    Endpoint at = cluster.endpoint();
    String jar = jars.upload(at, SampleJob.file().toPath(), "main.jar");
    Path file = held();
    CompletableFuture<RunAnswer> run =
        CompletableFuture.supplyAsync(
            () -> jars.run(at, jar, run(cluster, id, "--submitted-while-file", file)));

    await().until(() -> jars.maySubmit(at));
    await().until(() -> cluster.rest().jobsOverview(at).job(id).isPresent());
    assertThat(jars.maySubmit(at)).isTrue();
    released(file);
    assertThat(run.join()).isEqualTo(new RunAnswer.Submitted());
    await().until(() -> !jars.maySubmit(at));
  }

  private Path held() {
    try {
      return Files.createTempFile(folder, "held", null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void released(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JarRun run(FlinkCluster cluster, String jobId, String flag, Path file) {
    return new JarRun(
        cluster.version().api(),
        jobId,
        null,
        List.of(flag, file.toString()),
        1,
        null,
        false,
        null,
        Map.of());
  }

  private void runningWithoutATaskIsNotRunning(FlinkCluster cluster) {
    SampleJob job = SampleJob.submit(cluster).in(FlinkJobState.RUNNING);

    assertThat(job.overview().tasks().display()).startsWith("0 of 2 tasks running");
    assertThat(job.overview().isUp()).isFalse();
  }

  private void aSavepointWithoutAPlaceIsRejected(FlinkCluster cluster) {
    Throwable thrown =
        catchThrowable(
            () ->
                cluster
                    .rest()
                    .triggerSavepoint(
                        cluster.endpoint(),
                        SampleJob.newId(),
                        SampleJob.newId(),
                        null,
                        SavepointFormat.CANONICAL));

    assertThat(thrown).isInstanceOf(Rejected.class);
    assertThat(thrown).hasMessageContaining("execution.checkpointing.savepoint-dir");
  }

  private void aSavepointWithoutATaskFailsForTheMoment(FlinkCluster cluster) {
    SampleJob job = SampleJob.submit(cluster).in(FlinkJobState.RUNNING);
    String trigger = SampleJob.newId();
    FlinkRest rest = cluster.rest();
    String target = cluster.folder("savepoints").toUri().toString();

    rest.stopWithSavepoint(
        cluster.endpoint(), job.id(), trigger, target, false, SavepointFormat.CANONICAL);

    SavepointOperation result =
        await()
            .until(
                () -> rest.savepointStatus(cluster.endpoint(), job.id(), trigger),
                it -> !(it instanceof SavepointOperation.InProgress));
    assertThat(result)
        .isInstanceOfSatisfying(
            SavepointOperation.Failed.class,
            failed -> assertThat(failed.cause().summary()).isNotEmpty());
  }

  private void theStateIsFreshWhileFlinksOwnPageIsStale(FlinkCluster cluster) {
    SampleJob job = SampleJob.submit(cluster).in(FlinkJobState.RUNNING);
    assertThat(job.cachedPage().path("state").asText()).isEqualTo("RUNNING");

    cluster.rest().cancel(cluster.endpoint(), job.id());
    job.in(FlinkJobState.CANCELED);

    assertThat(job.overview().state()).isEqualTo(FlinkJobState.CANCELED);
    assertThat(job.cachedPage().path("state").asText()).as("the trap").isEqualTo("RUNNING");
  }

  private void aLostMemoryMakesOperationsUnknown(FlinkCluster cluster) {
    SampleJob job = SampleJob.submit(cluster).in(FlinkJobState.RUNNING);
    String trigger = SampleJob.newId();
    FlinkRest rest = cluster.rest();
    String target = cluster.folder("savepoints").toUri().toString();
    rest.triggerSavepoint(cluster.endpoint(), job.id(), trigger, target, SavepointFormat.CANONICAL);

    cluster.replaceJobManager();

    assertThat(rest.savepointStatus(cluster.endpoint(), job.id(), trigger))
        .isEqualTo(new SavepointOperation.Unknown());
    assertThat(rest.jobsOverview(cluster.endpoint()).jobs()).isEmpty();
    Throwable thrown = catchThrowable(() -> rest.checkpoints(cluster.endpoint(), job.id()));
    assertThat(thrown).isInstanceOf(NotFound.class);
  }
}
