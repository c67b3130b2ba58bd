package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** When a job goes on from its high-availability metadata, under the id that it has. */
class MetadataPlannerTest {

  private static final String GOES_ON = "keep metadata of old -> metadata";

  private static Seen available() {
    return Seen.stable().mode(UpgradeMode.LAST_STATE).highlyAvailable();
  }

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        row("the JobManager is silent", available().unreachable(), GOES_ON),
        row("the Deployment is missing", available().noCluster(), GOES_ON),
        row(
            "the JobManager crashes",
            available().jobManager(JobManager.CRASHING).unreachable(),
            GOES_ON),
        row(
            "upgradeMode savepoint, the JobManager is silent",
            available().mode(UpgradeMode.SAVEPOINT).unreachable(),
            GOES_ON),
        row("the job is up: an explicit path is better", available(), "cancel old -> suspended"),
        row("the job is up, and is not to be cancelled", available().noCancel(), GOES_ON),
        row(
            "the job is up, and is not to be cancelled, but has no metadata to go on from",
            available().noCancel().ha(HighAvailability.OFF),
            "cancel old -> suspended"),
        row(
            "the job is up, and is not to be cancelled, but high availability is switched off",
            available().noCancel().toNoHighAvailability(),
            "cancel old -> suspended"),
        row(
            "the job is up, is not to be cancelled, and its checkpoint is too old",
            available().noCancel().maxCheckpointAge(10).ages(90, 11, 0),
            "stop old -> suspended"),
        row(
            "the job is up and would lose its checkpoints, no savepoint directory",
            available().retention(Retention.DELETED).noSavepointDirectory(),
            GOES_ON),
        row(
            "the job restarts, and Flink would delete its checkpoints",
            available().state(OLD, FlinkJobState.RESTARTING).retention(Retention.DELETED),
            GOES_ON),
        row(
            "the job restarts, and Flink does not tell its newest state",
            available()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Unknown("Flink does not tell")),
            GOES_ON),
        row(
            "the job has no tasks, and Flink tells no checkpoint of it",
            available().waiting(OLD),
            GOES_ON),
        row(
            "the same, with a fallback that is switched off",
            available().mode(UpgradeMode.SAVEPOINT).noFallback().waiting(OLD),
            "blocked Blocked"),
        row(
            "the same, without metadata",
            available().ha(HighAvailability.OFF).waiting(OLD),
            "blocked StateNotFound"),
        row(
            "the metadata has no checkpoint",
            available().ha(HighAvailability.NO_CHECKPOINT).unreachable(),
            "blocked StateNotFound"),
        row(
            "the job has no metadata: it has ended",
            available().ha(HighAvailability.NO_METADATA).unreachable(),
            "blocked StateNotFound"),
        row(
            "the new spec switches high availability off",
            available().toNoHighAvailability().unreachable(),
            "parked StateNotFound"),
        row(
            "another Flink version",
            available().version(FlinkVersion.V2_1).unreachable(),
            "parked StateNotFound"),
        row(
            "the spec that runs is not known",
            available().deployedUnknown().unreachable(),
            "parked StateNotFound"),
        row(
            "upgradeMode savepoint without the fallback, silent",
            available().mode(UpgradeMode.SAVEPOINT).noFallback().unreachable(),
            "blocked Blocked"),
        row(
            "upgradeMode savepoint without the fallback, restarting",
            available()
                .mode(UpgradeMode.SAVEPOINT)
                .noFallback()
                .state(OLD, FlinkJobState.RESTARTING),
            "blocked Blocked"),
        row(
            "upgradeMode savepoint without the fallback, restarting, its state not known",
            available()
                .mode(UpgradeMode.SAVEPOINT)
                .noFallback()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Unknown("Flink does not tell")),
            "blocked Blocked"),
        row(
            "upgradeMode savepoint without the fallback, never got beyond its savepoint",
            available()
                .mode(UpgradeMode.SAVEPOINT)
                .noFallback()
                .state(OLD, FlinkJobState.RESTARTING)
                .newest(new StateRef.Savepoint("s3://sp-5"), false),
            "discard unprogressed old -> s3://sp-5"),
        row(
            "upgradeMode savepoint without the fallback, failed",
            available()
                .mode(UpgradeMode.SAVEPOINT)
                .noFallback()
                .ended(OLD, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://old/chk-9")),
            "none -> s3://old/chk-9"),
        row(
            "upgradeMode savepoint without the fallback, up",
            available().mode(UpgradeMode.SAVEPOINT).noFallback(),
            "stop old -> suspended"),
        row(
            "last-state is not asked for a fallback",
            available().noFallback().unreachable(),
            GOES_ON));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("rules")
  void plansAfterPatience(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  @Test
  void aSilentJobManagerIsGivenTimeFirst() {
    Seen seen = available().unreachable();

    assertThat(words(seen.decide(false, false))).isEqualTo("Settle");
  }

  @Test
  void aMissingDeploymentDoesNotComeBackByItself() {
    Seen seen = available().noCluster();

    assertThat(words(seen.decide(false, false))).isEqualTo(GOES_ON);
  }

  static Stream<Arguments> onceRecorded() {
    return Stream.of(
        row("the cluster is gone", begun().noCluster(), GOES_ON),
        row("the old cluster is still there, silent", begun().unreachable(), GOES_ON),
        row(
            "its JobManager answers again: nothing is known of before",
            begun(),
            "stop old -> suspended"),
        row(
            "the job failed meanwhile: its metadata is gone, its checkpoint is not",
            begun()
                .ha(HighAvailability.NO_METADATA)
                .ended(OLD, FlinkJobState.FAILED)
                .newest(new StateRef.Checkpoint("s3://old/chk-9")),
            "none -> s3://old/chk-9"),
        row(
            "the metadata vanished with the cluster",
            begun().noCluster().ha(HighAvailability.NO_METADATA),
            "parked StateNotFound"),
        row(
            "it vanished before the new cluster had a checkpoint",
            begun().noCluster().ha(HighAvailability.NO_CHECKPOINT),
            "parked StateNotFound"),
        row(
            "a container of the new JobManager never ran, the metadata is gone",
            goneOn().jobManager(JobManager.NEVER_READY).ha(HighAvailability.NO_CHECKPOINT),
            "await"),
        row("the new cluster is there", goneOn(), "await"),
        row(
            "back to the spec that runs, and its JobManager answers again",
            begun().sameAsStable(),
            "Reverted"),
        row("the fallback is switched off since", begun().noCluster().noFallback(), GOES_ON),
        row(
            "rolled back, the new cluster runs",
            goneOn().rollingBack().sameAsFrozen(false).frozenAt(6).up(OLD),
            GOES_ON),
        row(
            "rolled back, the metadata is gone, the job runs",
            goneOn()
                .rollingBack()
                .sameAsFrozen(false)
                .frozenAt(6)
                .up(OLD)
                .ha(HighAvailability.NO_METADATA),
            "stop old -> suspended"));
  }

  /** The metadata is recorded; the old cluster is still there. */
  private static Seen begun() {
    return Seen.begun().highlyAvailable().recordedMetadata();
  }

  /** The cluster of the new spec runs the same job. */
  private static Seen goneOn() {
    return begun().generationOfCluster(7).unreachable();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("onceRecorded")
  void theMetadataItselfIsLookedAtWhateverIsRecorded(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  @Test
  void aRetryReplacesAJobThatHasGoneOnAndIsSilent() {
    Seen seen = goneOn();

    assertThat(words(seen.decide(true, true))).isEqualTo(GOES_ON);
  }

  /** A savepoint was recorded before, and the job started from it has gone on since. */
  @Test
  void theMetadataOfTheNewJobIsNewerThanWhatItWasStartedFrom() {
    Seen seen = Seen.started().highlyAvailable().unreachable();

    assertThat(words(seen.decide(true, true)))
        .isEqualTo("keep metadata of " + NEW + " -> metadata");
  }

  static Stream<Arguments> waiting() {
    Seen started = Seen.started().waiting(NEW);
    return Stream.of(
        row(
            "it may have completed checkpoints since",
            Seen.started().highlyAvailable().waiting(NEW),
            "keep metadata of new -> metadata"),
        row(
            "it was up, and no metadata tells more",
            Seen.started().waiting(NEW).wasUp(),
            "blocked StateNotFound"),
        row(
            "its metadata says that it has completed none",
            Seen.started().highlyAvailable().ha(HighAvailability.NO_CHECKPOINT).waiting(NEW),
            "discard unprogressed new -> s3://sp-6"),
        row(
            "it had slots, and its metadata says that it has completed none",
            Seen.started().highlyAvailable().ha(HighAvailability.NO_CHECKPOINT).waitingAgain(NEW),
            "discard unprogressed new -> s3://sp-6"),
        row(
            "it had slots, and no metadata tells more",
            Seen.started().waitingAgain(NEW),
            "blocked StateNotFound"),
        row("it never had any", started, "discard unprogressed new -> s3://sp-6"));
  }

  /** Flink's adaptive scheduler forgets the statistics of a job that has lost its slots. */
  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("waiting")
  void aJobWithoutTasksIsNotTakenBackToWhatItWasStartedFrom(
      String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, true))).isEqualTo(expected);
  }

  @Test
  void metadataCannotBeChosenAsRecorded() {
    Seen seen = begun().noCluster().ha(HighAvailability.NO_METADATA).restoreFrom("recorded");

    Hold hold = (Hold) seen.decide(true, true);

    assertThat(hold.why()).contains("no savepoint or checkpoint is recorded");
  }

  @Test
  void whatToDoIsSaidWhenTheNewSpecCannotGoOn() {
    Seen off = available().toNoHighAvailability().unreachable();
    Seen version = available().version(FlinkVersion.V2_1).unreachable();

    assertThat(off.decide(true, false).why())
        .contains("Set high-availability.type to kubernetes again");
    assertThat(version.decide(true, false).why()).contains("Set spec.flinkVersion to v2_2 again");
  }
}
