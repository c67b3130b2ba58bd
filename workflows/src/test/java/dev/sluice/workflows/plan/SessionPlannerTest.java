package dev.sluice.workflows.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan.Teardown.ReplaceSession;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A session cluster is replaced, and no job on it is lost by that. */
class SessionPlannerTest {

  private static final String REPLACE = "replace, jobs NONE";
  private static final String BACK = "replace, jobs COME_BACK";
  private static final String UNKNOWN = "blocked StateNotFound";
  private static final String BUSY = "parked OtherJobs";

  private final UpgradePlanner planner = new UpgradePlanner();

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
            "the JobManager crashes: it has forgotten its jobs",
            idle().jobManager(JobManager.CRASHING).unreachable(),
            REPLACE),
        row(
            "no container of the JobManager ever ran",
            idle().jobManager(JobManager.NEVER_READY).unreachable(),
            REPLACE),
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
    Decision decision = planner.decide(seen.build(), seen.target(), true, false);

    assertThat(words(decision)).isEqualTo(expected);
  }

  @Test
  void aJobManagerThatIsSilentIsGivenTimeFirst() {
    Seen silent = idle().unreachable();

    assertThat(planner.decide(silent.build(), silent.target(), false, false))
        .isInstanceOf(Decision.Settle.class);
  }

  @Test
  void jobsAreGivenUpWhenTheUserSaysSoAndRetries() {
    Seen chosen = busy().restoreFrom("empty");

    assertThat(words(planner.decide(chosen.build(), chosen.target(), true, true)))
        .isEqualTo("replace, jobs END");
    assertThat(words(planner.decide(chosen.build(), chosen.target(), true, false))).isEqualTo(BUSY);
  }

  @Test
  void aRetryAloneGivesNoJobUp() {
    Seen seen = busy();

    assertThat(words(planner.decide(seen.build(), seen.target(), true, true))).isEqualTo(BUSY);
  }

  @Test
  void aSessionClusterIsNotStartedFromASavepoint() {
    Seen chosen = busy().restoreFrom("s3://sp-1");

    Decision decision = planner.decide(chosen.build(), chosen.target(), true, true);

    assertThat(words(decision)).isEqualTo(BUSY);
    assertThat(decision.why()).contains("'s3://sp-1'").contains("'empty' gives its jobs up");
  }

  @Test
  void aNewClusterThatDoesNotAnswerIsReplacedByARetryOnceItIsCertainThatNoJobRuns() {
    Seen crashing = Seen.started().jobManager(JobManager.NEVER_READY).unreachable().session();

    assertThat(words(planner.decide(crashing.build(), crashing.target(), true, true)))
        .isEqualTo(REPLACE);
  }

  @Test
  void whatHoldsTheUpgradeNamesTheJobsAndTheWayOut() {
    Seen seen = idle().otherJobs("a", "b", "c", "d", "e", "f", "g");

    Hold hold = (Hold) planner.decide(seen.build(), seen.target(), true, false);

    assertThat(hold.why())
        .contains("a, b, c, d, e and 2 more")
        .contains("sluice.dev/restore-from=empty")
        .contains("high availability");
    assertThat(hold.offersRestoreFrom()).isTrue();
  }

  private static String words(Decision decision) {
    return decision instanceof Proceed it && it.plan().teardown() instanceof ReplaceSession replace
        ? "replace, jobs " + replace.jobs()
        : DecisionWords.words(decision);
  }
}
