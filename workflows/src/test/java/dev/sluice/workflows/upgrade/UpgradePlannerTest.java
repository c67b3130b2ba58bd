package dev.sluice.workflows.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.upgrade.UpgradePlan.Discard;
import dev.sluice.workflows.upgrade.UpgradePlan.KeepCheckpoint;
import dev.sluice.workflows.upgrade.UpgradePlan.NothingToDo;
import dev.sluice.workflows.upgrade.UpgradePlan.Park;
import dev.sluice.workflows.upgrade.UpgradePlan.Settle;
import dev.sluice.workflows.upgrade.UpgradePlan.StartFrom;
import dev.sluice.workflows.upgrade.UpgradePlan.TakeSavepoint;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradePlannerTest {

  private final UpgradePlanner planner = new UpgradePlanner();

  private static Arguments named(String name, ObservationBuilder seen, UpgradePlan plan) {
    return Arguments.of(name, seen, plan);
  }

  static Stream<Arguments> cases() {
    return Stream.of(
        named(
            "every task runs: stop with a savepoint",
            stable().job("RUNNING", 2),
            new TakeSavepoint("j", "")),
        named(
            "never deployed: start empty",
            new ObservationBuilder().noCluster(),
            new StartFrom(null, "")),
        named(
            "never deployed, with an initial savepoint: start from it",
            new ObservationBuilder().noCluster().initialSavepoint("s3://first"),
            new StartFrom("s3://first", "")),
        named(
            "stateless: cancel, start empty",
            stable().mode("stateless").job("RUNNING", 2),
            new Discard("j", null, "")),
        named(
            "stateless, the job has failed: nothing to cancel",
            stable().mode("stateless").job("FAILED", 0),
            new Discard(null, null, "")),
        named(
            "never deployed, stateless: start empty",
            new ObservationBuilder().noCluster().mode("stateless"),
            new Discard(null, null, "")),
        named(
            "never deployed, stateless, with an initial savepoint: start from it all the same",
            new ObservationBuilder().noCluster().mode("stateless").initialSavepoint("s3://first"),
            new Discard(null, "s3://first", "")),
        named(
            "a first deployment, stateless, whose job is to be replaced: the initial savepoint",
            firstBegun().mode("stateless").initialSavepoint("s3://first").job("RUNNING", 1),
            new Discard("j", "s3://first", "")),
        named(
            "stateless, once stable: the initial savepoint is history",
            stable().mode("stateless").initialSavepoint("s3://first").job("RUNNING", 2),
            new Discard("j", null, "")),
        named(
            "only some tasks run, in spite of patience: newest checkpoint",
            stable().job("RUNNING", 1).latest("chk-7"),
            new KeepCheckpoint("j", "")),
        named(
            "restarting for long: newest checkpoint",
            stable().job("RESTARTING", 0).latest("chk-7"),
            new KeepCheckpoint("j", "")),
        named(
            "restarting for long without any checkpoint: park",
            stable().job("RESTARTING", 0),
            park()),
        named(
            "failed for good: its newest checkpoint",
            stable().job("FAILED", 0).latest("chk-7"),
            new StartFrom("chk-7", "")),
        named(
            "failed without a checkpoint after having been stable: park",
            stable().job("FAILED", 0),
            park()),
        named("the JobManager stays away: park", stable().unreachable(), park()),
        named("the cluster was deleted by hand: park", stable().noCluster(), park()),
        named(
            "an earlier run stopped the job and was lost before it recorded the path",
            begun().job("FINISHED", 0).latest("savepoint-1"),
            new StartFrom("savepoint-1", "")),
        named(
            "as before, and the JobManager was restarted since: look for the savepoint",
            begun().noJob(),
            new TakeSavepoint("j", "")),
        named(
            "an earlier run recorded the state and deleted the cluster",
            begun().recorded("savepoint-1").noCluster(),
            new StartFrom("savepoint-1", "")),
        named(
            "an earlier run made a cluster that does not come up",
            begun().recorded("savepoint-1").cluster(7).unreachable(),
            new StartFrom("savepoint-1", "")),
        named(
            "an earlier run made a cluster whose job failed at start",
            begun().recorded("savepoint-1").cluster(7).job("FAILED", 0),
            new StartFrom("savepoint-1", "")),
        named(
            "an earlier run made a cluster that has run and has newer state",
            begun().recorded("savepoint-1").cluster(7).job("FAILED", 0).latest("chk-9"),
            new StartFrom("chk-9", "")),
        named(
            "an earlier run was lost just before it marked the target stable",
            begun().recorded("savepoint-1").cluster(7).job("RUNNING", 2),
            new TakeSavepoint("j", "")),
        named(
            "a stateless upgrade was lost after it deleted the cluster",
            begun().frozenMode("stateless").noCluster(),
            new StartFrom(null, "")),
        named(
            "a first deployment that failed at start: start empty again",
            firstBegun().job("FAILED", 0),
            new StartFrom(null, "")),
        named(
            "a first deployment whose image does not exist: start empty again",
            firstBegun().unreachable(),
            new StartFrom(null, "")),
        named(
            "a first deployment that ran and took a checkpoint keeps it",
            firstBegun().job("RESTARTING", 0).latest("chk-1"),
            new KeepCheckpoint("j", "")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void plansAfterPatience(String name, ObservationBuilder seen, UpgradePlan expected) {
    UpgradePlan plan = planner.plan(seen.build(), true);

    assertThat(plan)
        .hasSameClassAs(expected)
        .usingRecursiveComparison()
        .ignoringFields("why")
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESTARTING", "CREATED", "INITIALIZING", "FAILING", "RECONCILING"})
  void looksAgainWithPatienceWhileTheJobIsOnItsWay(String state) {
    assertThat(planner.plan(stable().job(state, 0).build(), false)).isInstanceOf(Settle.class);
  }

  @Test
  void looksAgainWithPatienceWhileTheJobManagerDoesNotAnswer() {
    assertThat(planner.plan(stable().unreachable().build(), false)).isInstanceOf(Settle.class);
  }

  @Test
  void needsNoPatienceWhereTheStateIsKnownAlready() {
    ObservationBuilder seen = begun().recorded("savepoint-1").cluster(7).unreachable();

    assertThat(planner.plan(seen.build(), false)).isInstanceOf(StartFrom.class);
  }

  @Test
  void doesNothingWhenTheNewestGenerationIsStable() {
    ObservationBuilder seen = stable().newest(6).job("RUNNING", 2);

    assertThat(planner.plan(seen.build(), false)).isInstanceOf(NothingToDo.class);
  }

  /** The invariant, over all combinations: never from savepoint to empty, once there was state. */
  @ParameterizedTest
  @EnumSource(JobCase.class)
  void neverStartsEmptyAfterHavingBeenStable(JobCase job) {
    for (boolean upgrading : new boolean[] {false, true}) {
      for (boolean patient : new boolean[] {false, true}) {
        ObservationBuilder seen = job.apply(upgrading ? begun() : stable());

        UpgradePlan plan = planner.plan(seen.build(), patient);

        assertThat(plan).isNotInstanceOf(Discard.class);
        if (plan instanceof StartFrom start) {
          assertThat(start.path()).as(seen.build().toString()).isNotNull();
        }
      }
    }
  }

  enum JobCase {
    NO_CLUSTER,
    UNREACHABLE,
    NO_JOB,
    RUNNING,
    PARTLY_RUNNING,
    RESTARTING,
    FAILED,
    CANCELED,
    FINISHED,
    SUSPENDED;

    ObservationBuilder apply(ObservationBuilder seen) {
      return switch (this) {
        case NO_CLUSTER -> seen.noCluster();
        case UNREACHABLE -> seen.unreachable();
        case NO_JOB -> seen.noJob();
        case RUNNING -> seen.job("RUNNING", 2);
        case PARTLY_RUNNING -> seen.job("RUNNING", 1);
        case RESTARTING, FAILED, CANCELED, FINISHED, SUSPENDED -> seen.job(name(), 0);
      };
    }
  }

  private static UpgradePlan park() {
    return new Park("");
  }

  private static ObservationBuilder stable() {
    return new ObservationBuilder().frozen(6).stable(6).cluster(6);
  }

  private static ObservationBuilder begun() {
    return new ObservationBuilder().frozen(7).stable(6).cluster(6).upgrading();
  }

  private static ObservationBuilder firstBegun() {
    return new ObservationBuilder().frozen(7).cluster(7).upgrading();
  }
}
