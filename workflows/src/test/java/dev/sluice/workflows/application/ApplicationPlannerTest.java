package dev.sluice.workflows.application;

import static dev.sluice.api.application.ApplicationPhase.CANCELLING;
import static dev.sluice.api.application.ApplicationPhase.CLUSTER_STARTING;
import static dev.sluice.api.application.ApplicationPhase.DEPLOY_FAILED;
import static dev.sluice.api.application.ApplicationPhase.RECOVERING;
import static dev.sluice.api.application.ApplicationPhase.RESCALING;
import static dev.sluice.api.application.ApplicationPhase.ROLLING_BACK_JOB;
import static dev.sluice.api.application.ApplicationPhase.SAVEPOINTING;
import static dev.sluice.api.application.ApplicationPhase.SUBMITTING_JOB;
import static dev.sluice.api.application.ApplicationPhase.UPDATING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.application.ApplicationDecision.Begin;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.KeepBoth;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationDecision.Settled;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is decided, row by row. */
class ApplicationPlannerTest {

  /**
   * @param given in words
   * @param sight what is seen
   * @param then the decision, in short
   */
  record Row(String given, Sight sight, String then) {
    @Override
    public String toString() {
      return given + ": " + then;
    }
  }

  private static Row row(String given, Sight sight, String then) {
    return new Row(given, sight, then);
  }

  @ParameterizedTest
  @MethodSource({"atRest", "beforeTheStop", "stateOfTheOldJob", "afterTheStop", "both", "lost"})
  void decides(Row row) {
    assertThat(words(row.sight().decide())).isEqualTo(row.then());
  }

  static Stream<Row> atRest() {
    return Stream.of(
        row("w1: nothing was ever done", Sight.none(), "Begin FIRST"),
        row("w1: the first version has failed", Sight.none().failed("new"), "Settled , 2"),
        row("w1: and a newer spec comes", Sight.none().failed("other"), "Begin FIRST"),
        row("the newest spec is deployed", Sight.deployed().newest("old"), "Settled Running, 2"),
        row("there is a newer spec", Sight.deployed(), "Begin DUAL"),
        row("it is not valid", Sight.deployed().invalid(), "Invalid"),
        row("forceRollback is true", Sight.deployed().forced(), "Settled Running, 2"),
        row("it is given up before it begins", Sight.deployed().abort(), "Settled Running, 2"),
        row("everything is done for it", Sight.deployed().settled(2), "Settled Running, 2"),
        row(
            "w6: the newest spec has failed",
            Sight.deployed().in(DEPLOY_FAILED).failed("new"),
            "Settled DeployFailed, 2"),
        row(
            "w6: it is asked for again",
            Sight.deployed().in(DEPLOY_FAILED).failed("new").again(),
            "Begin DUAL"),
        row(
            "w6: the spec is reverted",
            Sight.deployed().in(DEPLOY_FAILED).failed("new").newest("old"),
            "Settled Running, 2"),
        row(
            "it has failed under a longer name",
            Sight.deployed().in(DEPLOY_FAILED).failed("collided", "new-full"),
            "Settled DeployFailed, 2"),
        row(
            "one with the same short hash has failed",
            Sight.deployed().in(DEPLOY_FAILED).failed("new", "new-other"),
            "Begin DUAL"),
        row(
            "jobs of others are on its cluster",
            Sight.deployed().others("x"),
            "Hold parked OtherJobs"),
        row("the same in mode BlueGreen", Sight.green().others("x"), "Begin BESIDE"),
        row(
            "the same, and nothing is to be done",
            Sight.deployed().newest("old").others("x"),
            "Settled Running, 2"),
        row("Lyft's cluster is gone", Sight.none().lyftGone(), "Hold parked StateNotFound"),
        row("and a savepoint is named", Sight.none().lyftGone().redeploys(), "Begin FIRST"),
        row(
            "a part of Lyft's cluster is there",
            Sight.none().lyftGone().lyftsLeftover().redeploys(),
            "Hold blocked WaitingForOperator"),
        row(
            "Lyft's operator has not finished its first version",
            Sight.none().in(SUBMITTING_JOB).lyftsLeftover(),
            "Hold blocked WaitingForOperator"),
        row(
            "the status says nothing of Lyft's cluster",
            Sight.none().lyftsLeftover(),
            "Hold blocked WaitingForOperator"),
        row(
            "its first version has failed, and its cluster is there",
            Sight.none().in(DEPLOY_FAILED).failed("other").lyftsLeftover(),
            "Hold blocked WaitingForOperator"),
        row(
            "a cluster of Lyft's is left beside what is deployed",
            Sight.deployed().lyftsLeftover(),
            "Begin DUAL"),
        row(
            "w6: another spec comes",
            Sight.deployed().in(DEPLOY_FAILED).failed("other"),
            "Begin DUAL"),
        row("parallelism is raised, in place", Sight.deployed().scaled(2, 4), "Begin IN_PLACE"),
        row("parallelism is lowered", Sight.deployed().scaled(4, 2), "Begin DUAL"),
        row(
            "its cluster is not ready",
            Sight.deployed().scaled(2, 4).cluster(Cluster.SILENT),
            "Begin DUAL"),
        row("mode BlueGreen", Sight.green(), "Begin BESIDE"),
        row("an old cluster is left", Sight.deployed().leaving("x"), "GoOn REMOVE_OLD"));
  }

  static Stream<Row> beforeTheStop() {
    Sight begun = Sight.deployed().target("new");
    return Stream.of(
        row("a version is frozen", begun.in(UPDATING), "GoOn CREATE"),
        row(
            "its cluster starts",
            begun.in(CLUSTER_STARTING).targetCluster(Cluster.STARTING),
            "GoOn AWAIT_CLUSTER"),
        row(
            "its cluster is gone",
            begun.in(CLUSTER_STARTING).targetCluster(Cluster.MISSING),
            "GoOn CREATE"),
        row(
            "the Deployment of its TaskManagers is gone",
            begun.in(CLUSTER_STARTING).targetCluster(Cluster.INCOMPLETE),
            "GoOn CREATE"),
        row("a newer spec comes", begun.in(CLUSTER_STARTING).newest("other"), "Begin DUAL"),
        row("it is not valid", begun.in(UPDATING).invalid(), "GoOn CREATE"),
        row("the spec is reverted", begun.in(CLUSTER_STARTING).newest("old"), "GiveUp"),
        row("it is given up", begun.in(CLUSTER_STARTING).abort(), "GiveUp"),
        row("forceRollback", begun.in(CLUSTER_STARTING).forced(), "GiveUp"),
        row("in place", Sight.deployed().inPlace().in(RESCALING), "GoOn CREATE"),
        row(
            "in place, and the cluster is gone",
            Sight.deployed().inPlace().in(RESCALING).targetCluster(Cluster.MISSING),
            "GiveUp"));
  }

  static Stream<Row> stateOfTheOldJob() {
    Sight ready = Sight.deployed().target("new").in(CLUSTER_STARTING);
    return Stream.of(
        row("the old job runs", ready, "GoOn TAKE_STATE SAVEPOINT"),
        row("jobs of others are on its cluster", ready.others("x"), "Hold parked OtherJobs"),
        row(
            "they came while it is being stopped",
            ready.in(SAVEPOINTING).triggered().others("x"),
            "GoOn TAKE_STATE SAVEPOINT"),
        row("no savepoint can be taken", ready.savepointFailed(), "GoOn TAKE_STATE CHECKPOINT"),
        row("savepointDisabled", ready.disabled(), "GoOn TAKE_STATE NOTHING"),
        row("w13: another savepoint is named", ready.redeploys(), "GoOn TAKE_STATE SAVEPOINT"),
        row("the old job has failed", ready.jobFailed(), "GoOn TAKE_STATE CHECKPOINT"),
        row("w18: the old job has finished", ready.jobFinished(), "GoOn TAKE_STATE CHECKPOINT"),
        row("w7: the old job is lost", ready.jobAbsent(), "Settle"),
        row("w7: for good", ready.jobAbsent().patient(), "GoOn TAKE_STATE CHECKPOINT"),
        row("w8: the old JobManager is silent", ready.jobUnreachable(), "Settle"),
        row("w8: for long", ready.jobUnreachable().patient(), "GoOn CONFIRM_DOWN"),
        row(
            "w8: and it is known that it does not run",
            ready.jobUnreachable().down(),
            "GoOn TAKE_STATE CHECKPOINT"),
        row(
            "the old job has no TaskManagers",
            ready.cluster(Cluster.INCOMPLETE).savepointFailed(),
            "GoOn TAKE_STATE CHECKPOINT"),
        row(
            "w7: the old cluster is gone",
            ready.jobUnreachable().cluster(Cluster.MISSING).patient(),
            "GoOn TAKE_STATE CHECKPOINT"),
        row(
            "w5: a stop is in flight, and is given up",
            ready.in(SAVEPOINTING).triggered().abort(),
            "GoOn TAKE_STATE SAVEPOINT"),
        row(
            "w6: a stop is in flight, and a newer spec comes",
            ready.in(SAVEPOINTING).triggered().newest("other"),
            "GoOn TAKE_STATE SAVEPOINT"),
        row(
            "the job is being cancelled",
            ready.in(CANCELLING).disabled().abort(),
            "GoOn TAKE_STATE NOTHING"),
        row(
            "the job is looked for",
            ready.in(RECOVERING).jobFailed().abort(),
            "GoOn TAKE_STATE CHECKPOINT"));
  }

  static Stream<Row> afterTheStop() {
    Sight recorded = Sight.deployed().jobFinished().target("new").started().in(SUBMITTING_JOB);
    Sight rollingBack = recorded.in(ROLLING_BACK_JOB);
    return Stream.of(
        row("state and job are recorded", recorded, "GoOn SUBMIT"),
        row("the job was submitted", recorded.submitted(), "GoOn AWAIT_JOB"),
        row("the job runs", recorded.targetUp(), "GoOn AWAIT_JOB"),
        row("w4: the job was seen up", recorded.targetUp().verified(), "GoOn CUT_OVER"),
        row(
            "the job was seen up, and a newer spec comes",
            recorded.targetUp().verified().newest("other"),
            "GoOn CUT_OVER"),
        row(
            "the job was seen up, and is given up too late",
            recorded.targetUp().verified().abort(),
            "GoOn CUT_OVER"),
        row(
            "the job was seen up, and forceRollback comes too late",
            recorded.targetUp().verified().forced(),
            "GoOn CUT_OVER"),
        row(
            "the job was seen up, and has failed since",
            recorded.targetFailed().verified(),
            "GoOn AWAIT_JOB"),
        row(
            "the job was seen up, and its cluster is gone",
            recorded.targetUp().verified().targetCluster(Cluster.MISSING),
            "RollBack"),
        row(
            "the job is up, and a newer spec comes",
            recorded.targetUp().newest("other"),
            "GoOn AWAIT_JOB"),
        row("the job is up, and is given up", recorded.targetUp().abort(), "RollBack"),
        row("its cluster is gone", recorded.targetCluster(Cluster.MISSING), "RollBack"),
        row("a part of it is gone", recorded.targetCluster(Cluster.INCOMPLETE), "RollBack"),
        row("it is given up", recorded.abort(), "RollBack"),
        row("forceRollback", recorded.forced(), "RollBack"),
        row("the spec is reverted", recorded.newest("old"), "RollBack"),
        row("w6: a newer spec comes", recorded.newest("other"), "Begin DUAL"),
        row("and was frozen", recorded.waits().in(UPDATING), "GoOn CREATE"),
        row("and its cluster is ready", recorded.waits().in(CLUSTER_STARTING), "GoOn SUBMIT"),
        row("and is given up", recorded.waits().in(CLUSTER_STARTING).abort(), "RollBack"),
        row(
            "w13: and names a savepoint",
            recorded.waits().in(CLUSTER_STARTING).redeploys(),
            "GoOn TAKE_STATE NAMED"),
        row("the old job is started again", rollingBack, "RollBack"),
        row("w2: that is stuck", rollingBack.stuck(), "RollBack"),
        row("w2: and a newer spec comes", rollingBack.stuck().newest("other"), "Begin DUAL"),
        row(
            "w2: the old job cannot be seen",
            rollingBack.stuck().newest("other").jobUnreachable(),
            "Begin DUAL"),
        row(
            "w2: the old job runs again",
            rollingBack.stuck().newest("other").jobAlive(),
            "RollBack"),
        row(
            "jobs of others are on the new cluster",
            recorded.targetOthers("x").abort(),
            "Hold parked OtherJobs"),
        row("the old job has come back", rollingBack.others("old-job"), "RollBack"),
        row("w2: before that is known", rollingBack.newest("other"), "RollBack"));
  }

  static Stream<Row> both() {
    Sight two = Sight.green().blue();
    return Stream.of(
        row("w12: two versions run", two, "KeepBoth 2"),
        row("w12: the old one is named", two.tearsDown("old"), "TearDown old"),
        row("w12: the new one is named", two.tearsDown("new"), "TearDown new"),
        row("jobs of others are on it", two.others("x").tearsDown("old"), "Hold parked OtherJobs"),
        row("and on the one that stays", two.others("x").tearsDown("new"), "TearDown new"),
        row(
            "its JobManager is silent",
            two.jobUnreachable().tearsDown("old"),
            "Hold blocked JobManagerSilent"),
        row(
            "and it is asked for again",
            two.jobUnreachable().tearsDown("old").again(),
            "TearDown old"),
        row("w12: a third spec waits", two.newest("other"), "KeepBoth 1"),
        row("w15: the old job is lost", two.jobAbsent().patient(), "Recover old"),
        row("w15: the new job is brought back", two.startedAgain(), "Recover new"),
        row("w15: which is not given up", two.startedAgain().abort(), "Recover new"),
        row("w15: nor replaced by a third", two.startedAgain().newest("other"), "Recover new"),
        row("w15: nor by forceRollback", two.startedAgain().forced(), "Recover new"),
        row(
            "w15: its cluster is gone",
            two.startedAgain().targetCluster(Cluster.MISSING),
            "Recover new"),
        row("w15: it may be torn down", two.startedAgain().tearsDown("new"), "TearDown new"),
        row("w15: the one that runs stays", two.startedAgain().tearsDown("old"), "Recover new"),
        row(
            "the job of the new one is not known, and the old one is brought back",
            two.targetAdopted().in(RECOVERING).jobAbsent(),
            "Recover old"),
        row("and that has come back by itself", two.targetAdopted().in(RECOVERING), "Recover old"),
        row(
            "and that is given up",
            two.targetAdopted().in(RECOVERING).jobAbsent().abort(),
            "Recover old"),
        row("one is being torn down", two.alone().leaving("new"), "TearDown new"),
        row(
            "w15: the one beside is given up, though it is up",
            two.in(SUBMITTING_JOB).started().verified().abort(),
            "GiveUp"),
        row("w15: the one beside is given up", two.in(SUBMITTING_JOB).started().abort(), "GiveUp"));
  }

  static Stream<Row> lost() {
    Sight done = Sight.deployed().newest("old").settled(2);
    return Stream.of(
        row("w7: the job is lost", done.jobAbsent(), "Settle"),
        row("w7: for good", done.jobAbsent().patient(), "Recover old"),
        row(
            "w7: its cluster is gone",
            done.jobUnreachable().cluster(Cluster.MISSING).patient(),
            "Recover old"),
        row(
            "the Deployment of its TaskManagers is gone",
            done.cluster(Cluster.INCOMPLETE).patient(),
            "Recover old"),
        row(
            "the same of a job that has finished",
            done.jobFinished().cluster(Cluster.INCOMPLETE).patient(),
            "Settled Running, 2"),
        row("its JobManager is silent", done.jobUnreachable().patient(), "Settled Running, 2"),
        row("w18: the job has finished", done.jobFinished().patient(), "Settled Running, 2"),
        row("w7: a newer spec comes first", Sight.deployed().jobAbsent(), "Begin DUAL"),
        row(
            "it was brought back too often",
            done.jobAbsent().patient().recovered(10),
            "Hold parked RecoveryLimit"),
        row("it is being brought back", done.jobAbsent().in(RECOVERING), "Recover old"),
        row(
            "that is stuck, and the newer spec is the one that has failed",
            Sight.deployed().jobAbsent().in(RECOVERING).failed("new").stuck(),
            "Recover old"),
        row(
            "its job was started by hand",
            done.jobAbsent().patient().others("x"),
            "Hold parked OtherJobs"),
        row(
            "that is stuck, its JobManager is silent, and a newer spec comes",
            Sight.deployed().jobUnreachable().in(RECOVERING).stuck(),
            "Begin DUAL"),
        row(
            "that is stuck, and a newer spec comes",
            Sight.deployed().jobAbsent().in(RECOVERING).stuck(),
            "Begin DUAL"));
  }

  private static String words(ApplicationDecision decision) {
    String name = decision.getClass().getSimpleName();
    if (decision instanceof Begin begin) {
      return name + " " + begin.kind();
    }
    if (decision instanceof GoOn goOn) {
      return name + " " + goOn.stage() + (goOn.from() == null ? "" : " " + goOn.from());
    }
    if (decision instanceof Hold hold) {
      return name + (hold.blocked() ? " blocked " : " parked ") + hold.reason();
    }
    if (decision instanceof Settled settled) {
      return "%s %s, %d"
          .formatted(name, settled.record().phase(), settled.record().settledGeneration());
    }
    if (decision instanceof KeepBoth both) {
      return name + " " + both.record().settledGeneration();
    }
    if (decision instanceof TearDown tearDown) {
      return name + " " + tearDown.remove().hash();
    }
    return decision instanceof Recover recover ? name + " " + recover.version().hash() : name;
  }
}
