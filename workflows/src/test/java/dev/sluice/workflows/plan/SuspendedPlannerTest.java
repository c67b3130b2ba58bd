package dev.sluice.workflows.plan;

import static dev.sluice.workflows.plan.DecisionWords.words;
import static dev.sluice.workflows.plan.Seen.NEW;
import static dev.sluice.workflows.plan.Seen.OLD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of {@code spec.job.state: suspended}, and of starting such a job again. */
class SuspendedPlannerTest {

  private static final String KEEPS = "keep metadata of old -> metadata";

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  static Stream<Arguments> suspending() {
    return Stream.of(
        row("the job runs", Seen.stable().toBeSuspended(), "stop old -> suspended"),
        row(
            "the job runs, last-state",
            Seen.stable().toBeSuspended().mode(UpgradeMode.LAST_STATE),
            "cancel old -> suspended"),
        row(
            "the job runs, stateless",
            Seen.stable().toBeSuspended().mode(UpgradeMode.STATELESS),
            "discard old -> empty"),
        row(
            "the job restarts",
            Seen.stable().toBeSuspended().state(OLD, FlinkJobState.RESTARTING),
            "cancel old -> suspended"),
        row(
            "the job is lost with its state",
            Seen.stable().toBeSuspended().noCluster(),
            "parked StateNotFound"),
        row(
            "its state is recorded, its cluster is there",
            Seen.recorded().toBeSuspended().with(OLD).ended(OLD, FlinkJobState.FINISHED),
            "none -> s3://sp-6"),
        row(
            "its state is recorded, its cluster is gone",
            Seen.recorded().toBeSuspended(),
            "stay suspended, s3://sp-6"),
        row(
            "its state is recorded, pods of its cluster are left",
            terminating(Seen.recorded().toBeSuspended()),
            "none -> s3://sp-6"),
        row(
            "suspended from the first, pods of its cluster are left",
            terminating(Seen.fresh().toBeSuspended()),
            "none -> empty"),
        row(
            "W2: its state is recorded, it was cancelled before",
            Seen.recorded().toBeSuspended().with(OLD).ended(OLD, FlinkJobState.CANCELED),
            "none -> s3://sp-6"),
        row(
            "an upgrade has started its job from the recorded state",
            Seen.started().toBeSuspended().generation(8).sameAsFrozen(false).up(NEW),
            "stop new -> suspended"),
        row("suspended from the first", Seen.fresh().toBeSuspended(), "stay suspended"),
        row(
            "another spec of a suspended job",
            Seen.suspended().toBeSuspended(),
            "stay suspended, s3://sp-6"),
        row(
            "the same spec of a suspended job",
            Seen.suspended().toBeSuspended().sameAsFrozen(true),
            "UpToDate"));
  }

  private static Seen terminating(Seen seen) {
    seen.podsLeft = 1;
    return seen;
  }

  static Stream<Arguments> resuming() {
    return Stream.of(
        row("from what it left", Seen.suspended(), "none -> s3://sp-6"),
        row("with last-state", Seen.suspended().mode(UpgradeMode.LAST_STATE), "none -> s3://sp-6"),
        row("stateless", Seen.suspended().mode(UpgradeMode.STATELESS), "none -> empty"),
        row(
            "not from the savepoint that it was first started from",
            Seen.suspended().initial("s3://first"),
            "none -> s3://sp-6"));
  }

  static Stream<Arguments> suspendingByMetadata() {
    return Stream.of(
        row("the JobManager is silent", available().unreachable(), KEEPS),
        row(
            "the JobManager is silent, last-state",
            available().mode(UpgradeMode.LAST_STATE).unreachable(),
            KEEPS),
        row("the Deployment is missing", available().noCluster(), KEEPS),
        row(
            "last-state, and the job is not to be cancelled",
            available().mode(UpgradeMode.LAST_STATE).noCancel(),
            KEEPS),
        row("the job runs: a path is better", available(), "stop old -> suspended"),
        row(
            "only a savepoint is good enough",
            available().noFallback().unreachable(),
            "blocked Blocked"),
        row("the metadata is recorded, the cluster is there", leaving().unreachable(), KEEPS),
        row(
            "the metadata is recorded, the cluster is gone",
            leaving().noCluster(),
            "stay suspended, metadata"),
        row(
            "the metadata vanished with the cluster",
            leaving().noCluster().ha(HighAvailability.NO_METADATA),
            "parked StateNotFound"),
        row(
            "the metadata has no checkpoint any more",
            leaving().noCluster().ha(HighAvailability.NO_CHECKPOINT),
            "parked StateNotFound"),
        row("another spec of a suspended job", left().toBeSuspended(), "stay suspended, metadata"),
        row(
            "another spec of a suspended job whose metadata is lost",
            left().toBeSuspended().ha(HighAvailability.NO_METADATA),
            "parked StateNotFound"));
  }

  static Stream<Arguments> resumingFromMetadata() {
    return Stream.of(
        row("with savepoint", left(), KEEPS),
        row("with last-state", left().mode(UpgradeMode.LAST_STATE), KEEPS),
        row("with savepoint, without the fallback", left().noFallback(), KEEPS),
        row(
            "not from the savepoint that it was first started from",
            left().initial("s3://first"),
            KEEPS),
        row("stateless", left().mode(UpgradeMode.STATELESS), "none -> empty"),
        row(
            "the metadata is lost",
            left().ha(HighAvailability.NO_METADATA),
            "parked StateNotFound"),
        row(
            "high availability is switched off",
            left().toNoHighAvailability(),
            "parked StateNotFound"),
        row("another Flink version", left().version(FlinkVersion.V2_1), "parked StateNotFound"));
  }

  /** The job runs with high availability, and is to be suspended. */
  private static Seen available() {
    return Seen.stable().highlyAvailable().toBeSuspended();
  }

  /** Its metadata is recorded, and its cluster is to go. */
  private static Seen leaving() {
    return Seen.begun().highlyAvailable().recordedMetadata().toBeSuspended();
  }

  /** It was suspended, and only its metadata is left. */
  private static Seen left() {
    return Seen.suspended().highlyAvailable().recordedMetadata();
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"suspending", "resuming", "suspendingByMetadata", "resumingFromMetadata"})
  void oneDecisionForEachSituation(String name, Seen seen, String expected) {
    assertThat(words(seen.decide(true, false))).isEqualTo(expected);
  }

  @Test
  void aSuspendedJobIsResumed() {
    assertThat(Seen.suspended().build().operation()).isEqualTo(OperationType.RESUME);
  }

  @Test
  void aSuspensionThatWasBegunIsLeftForAnUpgrade() {
    Observation begun = Seen.begun().generation(8).build();

    assertThat(begun.operation()).isEqualTo(OperationType.UPGRADE);
  }

  @Test
  void aDeploymentThatWasBegunStaysOneUntilAJobWasStable() {
    assertThat(Seen.begun().neverStable().build().operation()).isEqualTo(OperationType.DEPLOY);
  }
}
