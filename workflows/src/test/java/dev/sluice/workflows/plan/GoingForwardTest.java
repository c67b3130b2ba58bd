package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Settle;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Going forward from a job of the target: its newest state wins, and a retry observes first. */
class GoingForwardTest {

  private static final String RECORDED = "s3://sp-6";

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  /** The newest spec differs from the one whose job was started: that job has to be suspended. */
  static Stream<Arguments> newerThanStarted() {
    return Stream.of(
        row("up", started8().up(NEW), "stop new -> suspended"),
        row(
            "item 3: restarting, has progressed",
            started8().state(NEW, FlinkJobState.RESTARTING),
            "cancel new -> suspended"),
        row(
            "restarting, has not progressed",
            started8()
                .state(NEW, FlinkJobState.RESTARTING)
                .newest(new StateRef.Savepoint(RECORDED), false),
            "discard unprogressed new -> " + RECORDED),
        row(
            "failed, has not progressed",
            started8().ended(NEW, FlinkJobState.FAILED),
            "none -> " + RECORDED),
        row(
            "failed, has progressed",
            started8()
                .ended(NEW, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://chk-9")),
            "none -> s3://chk-9"),
        row(
            "a stateless spec was left before its job ran: what the old job left",
            started8()
                .recordedEmpty()
                .with(OLD)
                .ended(OLD, FlinkJobState.CANCELED)
                .newest(new StateRef.Checkpoint("s3://chk-9")),
            "none -> s3://chk-9"),
        row(
            "a stateless spec was left, and the old job had no state",
            started8().recordedEmpty().with(OLD).ended(OLD, FlinkJobState.CANCELED),
            "none -> empty"),
        row(
            "item 3: failed, has progressed, its checkpoint was deleted",
            started8()
                .ended(NEW, FlinkJobState.FAILED)
                .newest(new StateRef.Unknown("checkpoint 9 was discarded")),
            "parked StateNotFound"),
        row(
            "item 3: one unanswered look is no proof",
            started8().unreachable(),
            "blocked StateNotFound"),
        row(
            "its JobManager was never ready",
            started8().unreachable().jobManager(JobManager.NEVER_READY),
            "none -> " + RECORDED),
        row(
            "its JobManager was never ready, but its metadata has a checkpoint",
            started8().unreachable().jobManager(JobManager.NEVER_READY).highlyAvailable(),
            "keep metadata of new -> metadata"),
        row(
            "crash loop without high availability begins anew by itself",
            started8().unreachable().jobManager(JobManager.CRASHING),
            "none -> " + RECORDED),
        row(
            "crash loop of a job that was up for a while: it may have checkpoints",
            started8().wasUp().unreachable().jobManager(JobManager.CRASHING),
            "blocked StateNotFound"),
        row(
            "was up, and its pod was replaced by one that never ran",
            started8().wasUp().unreachable().jobManager(JobManager.NEVER_READY),
            "blocked StateNotFound"),
        row(
            "was up, and has no checkpoint in its metadata",
            started8().wasUp().unreachable().ha(HighAvailability.NO_CHECKPOINT),
            "none -> " + RECORDED),
        row("its JobManager does not have it", started8().absent(NEW), "none -> " + RECORDED),
        row(
            "another job was about to replace it, which its session cluster never had",
            replaced(JobManager.NEVER_READY),
            "none -> " + RECORDED),
        row(
            "another job was about to replace it, which Flink may have had",
            replaced(JobManager.MAY_HAVE_RUN),
            "await"),
        row(
            "was up, and its JobManager does not have it any more: a savepoint may be older",
            started8().wasUp().absent(NEW),
            "parked StateNotFound"),
        row(
            "was up, and its Deployment is gone",
            Seen.recorded().wasUp().prepared(NEW).sameAsFrozen(false).generation(8),
            "parked StateNotFound"),
        row(
            "was up, its Deployment and its configuration are gone",
            Seen.recorded().wasUp().prepared(null).sameAsFrozen(false).generation(8),
            "parked StateNotFound"),
        row(
            "crash loop with high availability whose metadata is gone proves nothing",
            started8()
                .unreachable()
                .jobManager(JobManager.CRASHING)
                .ha(HighAvailability.NO_METADATA),
            "blocked StateNotFound"),
        row(
            "crash loop from the start with high availability: no job was ever begun",
            started8()
                .unreachable()
                .jobManager(JobManager.CRASHED_AT_START)
                .ha(HighAvailability.NO_METADATA),
            "none -> " + RECORDED),
        row(
            "crash loop from the start of a JobManager whose job was up in a pod before",
            started8()
                .wasUp()
                .unreachable()
                .jobManager(JobManager.CRASHED_AT_START)
                .ha(HighAvailability.NO_METADATA),
            "blocked StateNotFound"),
        row(
            "crash loop from the start without high availability begins anew by itself",
            started8().unreachable().jobManager(JobManager.CRASHED_AT_START),
            "none -> " + RECORDED),
        row(
            "crash loop with a checkpoint in its metadata",
            started8().unreachable().jobManager(JobManager.CRASHING).highlyAvailable(),
            "keep metadata of new -> metadata"),
        row(
            "no checkpoint in its metadata",
            started8().unreachable().ha(HighAvailability.NO_CHECKPOINT),
            "none -> " + RECORDED));
  }

  /** A run that was lost has recorded another job in its place. */
  private static Seen replaced(JobManager process) {
    Seen seen = Seen.started().absent(NEW).jobManager(process);
    seen.recorded = seen.recorded.again(NEW, "another");
    return seen;
  }

  private static Seen started8() {
    return Seen.started().sameAsFrozen(false).generation(8);
  }

  /** FLINK-39270, FLINK-30406: a slow JobManager proves nothing, one that never ran does. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("newerThanStarted")
  void newestStateWinsGoingForward(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  /** A person asked to begin again. */
  static Stream<Arguments> retried() {
    return Stream.of(
        row("item 2: the job came up meanwhile", Seen.started().up(NEW), "await up"),
        row("item 2: with a finished task, too", Seen.started().tasks(NEW, 3, 1, 4), "await up"),
        row(
            "not up, never ready: from the recorded state",
            Seen.started().unreachable().jobManager(JobManager.NEVER_READY),
            "none -> " + RECORDED),
        row(
            "not up, has progressed: its newest state",
            Seen.started().tasks(NEW, 1, 0, 2),
            "cancel new -> suspended"),
        row(
            "failed, not progressed: from the recorded state",
            Seen.started().ended(NEW, FlinkJobState.FAILED),
            "none -> " + RECORDED),
        row(
            "stateless, does not answer: it may be healthy",
            Seen.started().mode(UpgradeMode.STATELESS).unreachable(),
            "await"),
        row(
            "stateless, restarting for longer than patience",
            Seen.started().mode(UpgradeMode.STATELESS).state(NEW, FlinkJobState.RESTARTING),
            "discard new -> empty"),
        row(
            "stateless, failed",
            Seen.started().mode(UpgradeMode.STATELESS).ended(NEW, FlinkJobState.FAILED),
            "none -> empty"),
        row(
            "state lost: empty, because a person says so",
            Seen.stable().noCluster().restoreFrom("empty"),
            "none -> empty"),
        row(
            "state lost: a path, because a person says so",
            Seen.stable().noCluster().restoreFrom("s3://mine"),
            "none -> s3://mine"),
        row(
            "state lost: recorded, because a person says so",
            Seen.recorded().prepared(NEW).restoreFrom("recorded"),
            "none -> " + RECORDED),
        row(
            "state lost: nothing is recorded",
            Seen.stable().noCluster().restoreFrom("recorded"),
            "parked StateNotFound"),
        row(
            "a blank choice is none",
            Seen.stable().noCluster().restoreFrom(" "),
            "parked StateNotFound"),
        row(
            "failed before it progressed: another state, because a person says so",
            Seen.started().ended(NEW, FlinkJobState.FAILED).restoreFrom("s3://mine"),
            "none -> s3://mine"),
        row(
            "failed after it progressed: its newest state, whatever a person says",
            Seen.started()
                .ended(NEW, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://chk-9"))
                .restoreFrom("s3://mine"),
            "none -> s3://chk-9"),
        row(
            "a choice that is not needed is ignored",
            Seen.stable().restoreFrom("empty"),
            "stop old -> suspended"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retried")
  void retryObservesFirst(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, true))).isEqualTo(expected);
  }

  /** A task that has just failed over is no reason to replace a job that is as the spec says. */
  @Test
  void aStatelessJobThatRestartsIsGivenTimeBeforeARetryReplacesIt() {
    Seen seen = Seen.started().mode(UpgradeMode.STATELESS).state(NEW, FlinkJobState.RESTARTING);

    Decision decision = seen.decide(false, true);

    assertThat(decision).isInstanceOf(Settle.class);
  }

  @Test
  void aChoiceCountsOnlyTogetherWithARetry() {
    Seen seen = Seen.stable().noCluster().restoreFrom("empty");

    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo("parked StateNotFound");
  }

  @Test
  void aJobThatFailsWhileItRestoresOffersAnotherState() {
    Seen seen = Seen.started().ended(NEW, FlinkJobState.FAILED);

    Decision decision = seen.decide(true, false);

    assertThat(decision)
        .isInstanceOfSatisfying(
            Hold.class,
            hold -> {
              assertThat(hold.offersRestoreFrom()).isTrue();
              assertThat(hold.why())
                  .contains("If it cannot read savepoint " + RECORDED, "sluice.dev/restore-from");
            });
  }

  @Test
  void theLiveJobIsDiscardedWhenAPersonChoseAnotherState() {
    Seen seen =
        Seen.stable()
            .state(OLD, FlinkJobState.RESTARTING)
            .newest(new StateRef.Unknown("not told"))
            .restoreFrom("s3://mine");

    assertThat(words(seen.decide(true, true))).isEqualTo("discard old -> s3://mine");
  }
}
