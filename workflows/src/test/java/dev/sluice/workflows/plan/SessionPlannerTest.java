package dev.sluice.workflows.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A session cluster is replaced, and no job on it is lost by that. */
class SessionPlannerTest {

  private static final String REPLACE = "replace, jobs NONE";
  private static final String BACK = "replace, jobs COME_BACK";
  private static final String SUSPEND = "suspend session jobs, replace, jobs NONE";
  private static final String UNKNOWN = "blocked StateNotFound";
  private static final String BUSY = "parked OtherJobs";

  /** It runs, its JobManager answers, and it has no job. */
  private static Seen idle() {
    return Seen.stable().absent(Seen.OLD).session();
  }

  private static Seen busy() {
    return idle().otherJobs("a", "b");
  }

  private static Seen available() {
    return Seen.stable()
        .absent(Seen.OLD)
        .highlyAvailable()
        .ha(HighAvailability.NO_METADATA)
        .session();
  }

  /** The upgrade is held after its state was recorded: the old cluster is there. */
  private static Seen recorded() {
    return Seen.recorded().with(Seen.OLD).absent(Seen.OLD).session();
  }

  private static Arguments row(String name, Seen seen, String expected) {
    return Arguments.of(name, seen, expected);
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        row("nothing was ever deployed", Seen.fresh().session(), REPLACE),
        row("no job runs", idle(), REPLACE),
        row("jobs run", busy(), BUSY),
        row("jobs run, with high availability", available().otherJobs("a"), BACK),
        row("no job runs, with high availability", available(), BACK),
        row(
            "jobs run, and the new spec has no high availability",
            available().toNoHighAvailability().otherJobs("a"),
            BUSY),
        row(
            "jobs run, and the new spec has another Flink version",
            available().version(FlinkVersion.V1_20).otherJobs("a"),
            BUSY),
        row(
            "no job runs, and the new spec has another Flink version",
            available().version(FlinkVersion.V1_20),
            REPLACE),
        row("jobs of FlinkSessionJobs run", busy().sessionJobs("a", "b"), SUSPEND),
        row("one of the jobs is of no FlinkSessionJob", busy().sessionJobs("a"), BUSY),
        row(
            "jobs of FlinkSessionJobs run, with high availability",
            available().otherJobs("a").sessionJobs("a"),
            SUSPEND),
        row(
            "one of the jobs is of no FlinkSessionJob, with high availability",
            available().otherJobs("a", "b").sessionJobs("a"),
            BACK),
        row(
            "the JobManager is silent, its metadata has jobs of FlinkSessionJobs",
            available().unreachable().otherJobs("a").sessionJobs("a"),
            BACK),
        row(
            "jobs of FlinkSessionJobs run, and the new spec has another Flink version",
            available().version(FlinkVersion.V1_20).otherJobs("a").sessionJobs("a"),
            SUSPEND),
        row(
            "the JobManager is silent, its metadata has jobs of FlinkSessionJobs, another version",
            available().version(FlinkVersion.V1_20).unreachable().otherJobs("a").sessionJobs("a"),
            BUSY),
        row("the JobManager is silent", idle().unreachable(), UNKNOWN),
        row(
            "the JobManager is silent, with high availability",
            available().unreachable().otherJobs("a"),
            BACK),
        row(
            "the JobManager is silent, its metadata has jobs, another Flink version",
            available().version(FlinkVersion.V1_20).unreachable().otherJobs("a"),
            BUSY),
        row(
            "the JobManager is silent, its metadata has no jobs, another Flink version",
            available().version(FlinkVersion.V1_20).unreachable(),
            REPLACE),
        row(
            "the JobManager crashes and waits: it has forgotten its jobs",
            idle().jobManager(JobManager.CRASHING).processStopped().unreachable(),
            REPLACE),
        row(
            "the JobManager crashed once, and runs again without being ready",
            idle().jobManager(JobManager.CRASHING).unreachable(),
            UNKNOWN),
        row(
            "the JobManager was available once, and its pod cannot start",
            idle().processStopped().unreachable(),
            REPLACE),
        row(
            "the new spec keeps high-availability files elsewhere, jobs run",
            available().otherStore().otherJobs("a"),
            BUSY),
        row(
            "the new spec keeps high-availability files elsewhere, no job runs",
            available().otherStore(),
            REPLACE),
        row(
            "nothing was ever created, and metadata of an earlier cluster has jobs",
            available().neverStable().noCluster().prepared(null).otherJobs("a"),
            BUSY),
        row(
            "nothing was ever created, and there is no metadata of an earlier cluster",
            available().neverStable().noCluster().prepared(null),
            REPLACE),
        row(
            "the spec before is applied again, and its cluster is there",
            recorded().sameAsStable().otherJobs("a"),
            "reverted"),
        row("the Deployment is missing", idle().noCluster(), REPLACE),
        row(
            "the Deployment is missing, with high availability",
            available().noCluster().otherJobs("a"),
            BACK),
        row(
            "the new cluster answers",
            Seen.started().absent(Seen.NEW).otherJobs("a").session(),
            "await up"),
        row("the new cluster does not answer", Seen.started().unreachable().session(), "await"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void aSessionClusterIsReplacedOnlyWithoutLosingAJob(String name, Seen seen, String expected) {
    Decision decision = seen.decide(true, false);

    assertThat(words(decision)).isEqualTo(expected);
  }

  @Test
  void aJobManagerThatIsSilentIsGivenTimeFirst() {
    Seen silent = idle().unreachable();

    assertThat(silent.decide(false, false)).isInstanceOf(Decision.Settle.class);
  }

  @Test
  void jobsAreGivenUpWhenTheUserSaysSoAndRetries() {
    Seen chosen = busy().restoreFrom("empty");

    assertThat(words(chosen.decide(true, true))).isEqualTo("replace, jobs END");
    assertThat(words(chosen.decide(true, false))).isEqualTo(BUSY);
  }

  @Test
  void jobsThatWouldComeBackAreGivenUpWhenTheUserSaysSoAndRetries() {
    Seen running = available().otherJobs("a").restoreFrom("empty");
    Seen silent = available().unreachable().otherJobs("a").restoreFrom("empty");

    assertThat(words(running.decide(true, true))).isEqualTo("replace, jobs END");
    assertThat(words(silent.decide(true, true))).isEqualTo("replace, jobs END");
    assertThat(words(running.decide(true, false))).isEqualTo(BACK);
  }

  @Test
  void aFirstDeploymentIsTakenDownOnlyWithoutLosingAJob() {
    Seen first = Seen.started().neverStable().absent(Seen.NEW).session();

    assertThat(words(UpgradePlanner.takeDown(first.build(), false))).isEqualTo(REPLACE);
    assertThat(words(UpgradePlanner.takeDown(first.otherJobs("a").build(), false))).isEqualTo(BUSY);
    assertThat(words(UpgradePlanner.takeDown(first.restoreFrom("empty").build(), true)))
        .isEqualTo("replace, jobs END");
  }

  @Test
  void aDeploymentThatIsGivenUpLeavesTheMetadataOfAnEarlierCluster() {
    Seen left = available().neverStable().noCluster().prepared(null).otherJobs("a");

    assertThat(words(UpgradePlanner.takeDown(left.build(), false))).isEqualTo(BACK);
    assertThat(words(UpgradePlanner.takeDown(left.restoreFrom("empty").build(), true)))
        .isEqualTo(BACK);
  }

  @Test
  void metadataOfAnEarlierClusterNamesTheWayOut() {
    Seen left = available().neverStable().noCluster().prepared(null).otherJobs("a");

    assertThat(left.decide(true, false).why())
        .contains("orders-*-config-map")
        .contains("sluice.dev/restore-from=empty");
  }

  @Test
  void aRetryAloneGivesNoJobUp() {
    Seen seen = busy();

    assertThat(words(seen.decide(true, true))).isEqualTo(BUSY);
  }

  @Test
  void aSessionClusterIsNotStartedFromASavepoint() {
    Seen chosen = busy().restoreFrom("s3://sp-1");

    Decision decision = chosen.decide(true, true);

    assertThat(words(decision)).isEqualTo(BUSY);
    assertThat(decision.why()).contains("'s3://sp-1'").contains("'empty' gives its jobs up");
  }

  @Test
  void aNewClusterThatDoesNotAnswerIsReplacedByARetryOnceItIsCertainThatNoJobRuns() {
    Seen crashing = Seen.started().processStopped().unreachable().session();

    assertThat(words(crashing.decide(true, true))).isEqualTo(REPLACE);
  }

  @Test
  void ofTheJobsThatHoldTheUpgradeThoseOfNoFlinkSessionJobAreNamed() {
    Seen seen = idle().otherJobs("a", "b").sessionJobs("a");

    Hold hold = (Hold) seen.decide(true, false);

    assertThat(hold.why()).contains("lost with it: b.");
  }

  @Test
  void aFirstDeploymentIsNotTakenDownWhileSessionJobsRunOnIt() {
    Seen seen = idle().otherJobs("a").sessionJobs("a");

    assertThat(words(UpgradePlanner.takeDown(seen.build(), false))).isEqualTo(BUSY);
  }

  @Test
  void whatHoldsTheUpgradeNamesTheJobsAndTheWayOut() {
    Seen seen = idle().otherJobs("a", "b", "c", "d", "e", "f", "g");

    Hold hold = (Hold) seen.decide(true, false);

    assertThat(hold.why())
        .contains("a, b, c, d, e and 2 more")
        .contains("sluice.dev/restore-from=empty")
        .contains("high availability");
    assertThat(hold.offersRestoreFrom()).isTrue();
  }

  @Test
  void aSavepointOfAJobThatWouldComeBackIsWaitedFor() {
    Seen seen = available().otherJobs("a", "b").sessionJobs("b").savepointsOf("b");

    Decision patient = seen.decide(true, false);

    assertThat(seen.decide(false, false)).isInstanceOf(Decision.Settle.class);
    assertThat(words(patient)).isEqualTo("blocked Blocked");
    assertThat(patient.why()).contains("job b.").contains("sluice.dev/retry");
  }

  @Test
  void aJobManagerWhoseJobsWouldComeBackIsGivenTimeToTellOfSavepoints() {
    Seen silent = available().unreachable().otherJobs("a");
    Seen stopped = available().processStopped().unreachable().otherJobs("a");

    assertThat(silent.decide(false, false)).isInstanceOf(Decision.Settle.class);
    assertThat(words(silent.decide(false, true))).isEqualTo(BACK);
    assertThat(words(stopped.decide(false, false))).isEqualTo(BACK);
  }

  @Test
  void aRetryReplacesTheClusterWhateverSavepointIsInProgress() {
    Seen seen = available().otherJobs("a").savepointsOf("a");

    assertThat(words(seen.decide(true, true))).isEqualTo(BACK);
  }

  @Test
  void ignorePendingSavepointReplacesTheClusterAtOnce() {
    Seen seen = available().otherJobs("a").savepointsOf("a");
    seen.options = new StateOptions(true, true, true, null, true, null);

    assertThat(words(seen.decide(false, false))).isEqualTo(BACK);
  }

  @Test
  void theWayBackOfASessionClusterDoesNotWaitForASavepoint() {
    Seen seen = available().otherJobs("a").savepointsOf("a").rollingBack();

    assertThat(words(seen.decide(true, false))).isEqualTo(BACK);
  }

  /** Each in the upgrade of its own FlinkSessionJob. */
  @Test
  void jobsThatAreSuspendedFirstWaitForTheirSavepointsThemselves() {
    Seen seen = available().otherJobs("a").sessionJobs("a").savepointsOf("a");

    assertThat(words(seen.decide(true, false))).isEqualTo(SUSPEND);
  }

  private static String words(Decision decision) {
    if (decision instanceof Decision.Reverted) {
      return "reverted";
    }
    return decision instanceof Proceed it && it.plan().teardown().jobs() != null
        ? (it.plan().suspend().how() == How.SESSION_JOBS ? "suspend session jobs, " : "")
            + "replace, jobs "
            + it.plan().teardown().jobs()
        : DecisionWords.words(decision);
  }
}
