package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is noted, and when Flink is asked to run a job. */
class JobStartOnSessionIT extends SessionStartScenario {

  private static final String THIRD_JOB_ID = "cc".repeat(16);
  private static final String HEADER = "kubernetes.operator.user.artifacts.http.header";

  @Test
  void theJobIsNotedBeforeFlinkIsAskedToRunIt() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    List<Submission> noted = new CopyOnWriteArrayList<>();
    submission =
        (cluster, job, alive) -> {
          noted.add(rig.submission(ref));
          accept(job);
        };

    assertThat(decided(start(ref))).isEqualTo(ProbeResult.done(null));
    assertThat(noted)
        .containsExactly(
            new Submission(
                Refs.JOB_ID, 1L, SessionRig.CLUSTER_ID, SessionRig.PROCESS, false, null));
  }

  @Test
  void whatIsRunIsWhatWasFrozen() {
    rig.session(Map.of("rest.port", "8099"));
    FlinkConfiguration own =
        FlinkConfiguration.of(Map.of("a.b", "of the job", HEADER, "Authorization:Bearer x"));
    ResourceRef ref =
        rig.job(
            "totals",
            Refs.JOB_ID,
            spec ->
                spec.withFlinkConfiguration(own.toJson())
                    .withJob(
                        Objects.requireNonNull(spec.job())
                            .withEntryClass("com.example.Totals")
                            .withArgs(List.of("--from", "orders"))
                            .withAllowNonRestoredState(true)));

    assertThat(decided(start(ref))).isEqualTo(ProbeResult.done(null));
    assertThat(runs)
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.jobId()).isEqualTo(Refs.JOB_ID);
              assertThat(run.savepointPath()).isEqualTo("file:/s");
              assertThat(run.spec().entryClass()).isEqualTo("com.example.Totals");
              assertThat(run.target().submitted())
                  .isEqualTo(
                      own.with(
                          "execution.checkpointing.externalized-checkpoint-retention",
                          "RETAIN_ON_CANCELLATION"));
            });
  }

  @Test
  void aJobThatFlinkHasFromALostAnswerIsNotRunAgain() {
    rig.session(Map.of());
    ResourceRef ref = rig.job();
    rig.submitted(ref, Refs.JOB_ID, null);
    flink.running();

    assertThat(look(start(ref))).isEqualTo(ProbeResult.done(null));
    assertThat(runs).isEmpty();
  }

  @Test
  void aRunWhoseOutcomeIsOpenIsLookedUpBeforeItIsRunAgain() {
    rig.session(Map.of());
    ResourceRef ref = rig.job();
    submission =
        (cluster, job, alive) -> {
          throw ApplicationFailure.newFailure("not known", FailureType.CLUSTER_NOT_READY);
        };
    JobStartOnSession start = start(ref);
    waits(run(start), "not known");
    flink.running();

    assertThat(look(start)).isEqualTo(ProbeResult.done(null));
    assertThat(runs).hasSize(1);
  }

  /** Those of the committed manifest. */
  @Test
  void theRightsOfTheWorkerAreEnough(ApiServer server) throws IOException {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    ResourceRef ref = rig.job();
    try (KubernetesClient worker = WorkerClient.of(server)) {
      JobStartOnSession start =
          new JobStartOnSession(
              request(ref, Refs.JOB_ID), rig.clusters(worker), rig.writer(worker), starts);

      assertThat(decided(start)).isEqualTo(ProbeResult.done(null));
      assertThat(rig.submission(ref)).isNotNull();
    }
  }

  @Test
  void aClusterThatIsMissingIsWaitedForAndThenTheJobIsStarted() {
    ResourceRef ref = rig.job();
    JobStartOnSession start = start(ref);

    waits(look(start), "FlinkDeployment orders does not exist");
    assertThat(rig.submission(ref)).isNull();
    rig.session(Map.of());

    assertThat(decided(start)).isEqualTo(ProbeResult.done(null));
    assertThat(runs).hasSize(1);
  }

  /** Its upgrade may wait for this very job to be suspended. */
  @Test
  void aJobThatWasSentIsFoundAlthoughItsClusterIsBeingUpgraded() {
    rig.session(Map.of()).host(ReconciliationState.UPGRADING);
    ResourceRef ref = rig.job();
    rig.sent(ref, Refs.JOB_ID);
    JobStartOnSession start = start(ref);

    waits(look(start), "is being upgraded");
    flink.running();

    assertThat(look(start)).isEqualTo(ProbeResult.done(null));
    assertThat(runs).isEmpty();
  }

  @Test
  void nothingIsNotedAsLongAsTheJobManagerDoesNotAnswer() {
    rig.session(Map.of());
    flink.up(false);
    ResourceRef ref = rig.job();

    waits(look(start(ref)), "does not answer");
    assertThat(rig.submission(ref)).isNull();
  }

  @Test
  void aClusterThatDoesNotComeInTimeIsNotReady() {
    JobStartOnSession start = start(rig.job());
    rig.clock.advance(Duration.ofMinutes(5));

    fails(look(start), FailureType.CLUSTER_NOT_READY, "FlinkDeployment orders does not exist");
  }

  @Test
  void aJobThatComesBackByItsMetadataIsNotRunBesideIt() {
    rig.session(
        Map.of("high-availability.type", "kubernetes", "high-availability.storageDir", "s3://ha"));
    rig.metadata();
    ResourceRef ref = rig.job();
    JobStartOnSession start = start(ref);

    waits(look(start), "metadata only");
    flink.running();

    assertThat(look(start)).isEqualTo(ProbeResult.done(null));
    assertThat(runs).isEmpty();
  }

  @Test
  void aRefusalThatMayPassIsTriedAgainUntilTheDeadline() {
    rig.session(Map.of());
    submission =
        (cluster, job, alive) -> {
          throw ApplicationFailure.newFailure("503 from the jar server", FailureType.REFUSED);
        };
    JobStartOnSession start = start(rig.job());

    waits(run(start), "503 from the jar server. It is tried again");
    rig.clock.advance(Duration.ofSeconds(14));
    waits(look(start), "503");
    assertThat(runs).hasSize(1);
    rig.clock.advance(Duration.ofSeconds(1));
    waits(look(start), "503");
    assertThat(runs).hasSize(2);
    rig.clock.advance(Duration.ofMinutes(5));
    fails(decided(start), FailureType.REFUSED, "503 from the jar server");
  }

  @Test
  void aRefusalThatLastsEndsTheStart() {
    rig.session(Map.of());
    submission =
        (cluster, job, alive) -> {
          throw ApplicationFailure.newNonRetryableFailure("no main class", FailureType.JOB_FAILED);
        };

    fails(decided(start(rig.job())), FailureType.JOB_FAILED, "no main class");
  }

  @Test
  void aStartEndsWhenAnotherAttemptMayBeAtWork() {
    rig.session(Map.of());
    AtomicBoolean mayAct = new AtomicBoolean(true);
    submission =
        (cluster, job, alive) -> {
          mayAct.set(false);
          alive.check();
          accept(job);
        };
    JobStartOnSession start = start(rig.job());
    waits(start.look(mayAct::get), "fetched, uploaded and run");

    waits(start.look(mayAct::get), "given up");

    assertThat(flink.jobsOverview(null).jobs()).isEmpty();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new CancellationException("interrupted");
    }
  }

  @Test
  void jobsOfOneClusterAreStartedAsTheLimitSays() {
    rig.session(Map.of()).jobManager(SessionRig.PROCESS);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch first = new CountDownLatch(1);
    submission =
        (cluster, job, alive) -> {
          begun.countDown();
          waitFor(first);
          accept(job);
        };
    JobStartOnSession one = start(rig.job());
    JobStartOnSession other =
        start(rig.job("other", Refs.OTHER_JOB_ID, Function.identity()), Refs.OTHER_JOB_ID);

    CompletableFuture<ProbeResult<Void>> started =
        CompletableFuture.supplyAsync(() -> decided(one));
    waitFor(begun);
    waits(look(other), "fetched, uploaded and run");
    waits(look(other), "1 of 1 jobs are being started on it");

    // Flink may have it
    ResourceRef sent = rig.job("sent", THIRD_JOB_ID, Function.identity());
    rig.sent(sent, THIRD_JOB_ID);
    JobStartOnSession again = start(sent, THIRD_JOB_ID);
    waits(run(again), "1 of 1 jobs are being started on it");
    flink.job(THIRD_JOB_ID, FlinkJobState.RUNNING, FakeFlink.tasks(8, 0, 0));
    assertThat(look(again)).isEqualTo(ProbeResult.done(null));

    first.countDown();

    assertThat(started.join()).isEqualTo(ProbeResult.done(null));
    assertThat(decided(other)).isEqualTo(ProbeResult.done(null));
  }
}
