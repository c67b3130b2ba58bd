package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationDecision.From;
import dev.sluice.workflows.application.ApplicationDecision.GiveUp;
import dev.sluice.workflows.application.ApplicationDecision.GoOn;
import dev.sluice.workflows.application.ApplicationDecision.Hold;
import dev.sluice.workflows.application.ApplicationDecision.RollBack;
import dev.sluice.workflows.application.ApplicationDecision.Settle;
import dev.sluice.workflows.application.ApplicationDecision.Stage;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.application.VersionSeen.Cluster;
import dev.sluice.workflows.model.JobObservation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides where a version is being deployed. */
final class NewVersionPlanner {

  private static final String NAMED = "savepointRedeployNonce asks for what savepointPath names";

  ApplicationDecision decide(ApplicationLook look) {
    ApplicationRecord record = look.record();
    VersionRef target = Objects.requireNonNull(record.target());
    if (record.phase() == ApplicationPhase.ROLLING_BACK_JOB) {
      return rollingBack(look);
    }
    String givesUp = givesUp(look);
    if (isUp(look) && !(look.isBeside() && givesUp != null)) {
      return go(Stage.CUT_OVER, "Point the Service at %s".formatted(target.display()));
    }
    boolean mayLeave = isUntouched(look) || record.start() != null;
    if (givesUp != null && mayLeave) {
      return leave(look, givesUp);
    }
    if (givesUp == null && mayLeave && look.asksForAnother() && !comesUp(look)) {
      return look.begin("%s comes instead of %s".formatted(look.newest(), target.display()));
    }
    return stage(look);
  }

  /**
   * Whether the job of the target was seen up. It has gone on from there since, so that the target
   * is the deployed version before anything newer is begun.
   */
  private static boolean isUp(ApplicationLook look) {
    VersionSeen target = look.seen().target();
    Start start = look.record().start();
    String job = start == null ? null : start.startedJob();
    return target != null
        && job != null
        && job.equals(look.asked().verified())
        && cluster(look) != Cluster.MISSING
        && !hasFailed(target.job());
  }

  private static boolean hasFailed(JobObservation job) {
    return job instanceof JobObservation.Ended ended && ended.state() != FlinkJobState.FINISHED;
  }

  /** Whether the job of the target is up, and is only to be checked. */
  private static boolean comesUp(ApplicationLook look) {
    VersionSeen target = look.seen().target();
    return look.record().start() != null
        && !look.isBeside()
        && target != null
        && target.isUp()
        && target.cluster() != Cluster.MISSING;
  }

  private static ApplicationDecision rollingBack(ApplicationLook look) {
    return look.replacesAttempt()
        ? look.begin("%s comes instead of what cannot run again".formatted(look.newest()))
        : new RollBack("The job of the version before is started again");
  }

  /** Why the target is not wanted any more; null while it is, or another one is. */
  private static @Nullable String givesUp(ApplicationLook look) {
    if (look.asked().givesUp() != null) {
      return look.asked().givesUp();
    }
    if (look.seen().wanted().requests().forceRollback()) {
      return "forceRollback is true";
    }
    ApplicationRecord record = look.record();
    boolean back =
        look.seen().problem() == null
            && look.newestIs(record.deployed())
            && !look.newestIs(record.target());
    return back ? look.newest() + " is what was deployed before" : null;
  }

  private static ApplicationDecision leave(ApplicationLook look, String why) {
    return isUntouched(look) ? new GiveUp(why) : new RollBack(why);
  }

  /**
   * Whether the job of the deployed version runs as if nothing had been begun. One that waits to be
   * started on another version has ended, unless a recovery was given up for that version.
   */
  private static boolean isUntouched(ApplicationLook look) {
    ApplicationRecord record = look.record();
    Start start = record.start();
    return record.deployed() == null
        || record.isDeployedUntouched()
        || (start != null && start.startedJob() == null && look.isDeployedAlive());
  }

  private static ApplicationDecision stage(ApplicationLook look) {
    Start start = look.record().start();
    return start == null || start.startedJob() == null
        ? beforeStart(look, start)
        : started(look, start.startedJob());
  }

  private static ApplicationDecision beforeStart(ApplicationLook look, @Nullable Start start) {
    ApplicationRecord record = look.record();
    VersionRef target = Objects.requireNonNull(record.target());
    Cluster cluster = cluster(look);
    ApplicationPhase phase = record.phase();
    boolean mayCreate =
        phase == ApplicationPhase.UPDATING
            || phase == ApplicationPhase.RESCALING
            || phase == ApplicationPhase.CLUSTER_STARTING;
    if (mayCreate && cluster.lacks() && look.isInPlace()) {
      return leave(look, "The cluster of %s is gone".formatted(target.display()));
    }
    if (mayCreate && (cluster.lacks() || phase != ApplicationPhase.CLUSTER_STARTING)) {
      return go(
          Stage.CREATE,
          look.isInPlace()
              ? "Scale the cluster of %s".formatted(target.display())
              : "Create the cluster of %s".formatted(target.display()));
    }
    if (phase == ApplicationPhase.CLUSTER_STARTING && cluster != Cluster.READY) {
      return go(Stage.AWAIT_CLUSTER, "Wait for the cluster of %s".formatted(target.display()));
    }
    boolean waits =
        start != null && record.deployed() != null && !look.isBeside() && !look.isDeployedAlive();
    if (!waits) {
      return takeState(look);
    }
    return look.seen().wanted().state().redeploys()
        ? take(From.NAMED, NAMED)
        : go(Stage.SUBMIT, "Start the job of %s".formatted(target.display()));
  }

  private static ApplicationDecision started(ApplicationLook look, String job) {
    String target = Objects.requireNonNull(look.record().target()).display();
    if (cluster(look) == Cluster.MISSING || cluster(look) == Cluster.INCOMPLETE) {
      return look.isBeside()
          ? new GiveUp("The cluster of %s is gone".formatted(target))
          : leave(look, "The cluster of %s is gone".formatted(target));
    }
    VersionSeen seen = Objects.requireNonNull(look.seen().target());
    boolean submits =
        !job.equals(look.asked().submitted())
            && (seen.job() instanceof JobObservation.Absent
                || seen.job() instanceof JobObservation.NeverStarted);
    return submits
        ? go(Stage.SUBMIT, "Start the job of %s".formatted(target))
        : go(Stage.AWAIT_JOB, "Wait until every task of the job of %s is up".formatted(target));
  }

  /** What the job of the target starts from, and how that is had. */
  private static ApplicationDecision takeState(ApplicationLook look) {
    ApplicationRecord record = look.record();
    VersionSeen deployed = look.seen().deployed();
    StatePolicy policy = look.seen().wanted().state();
    if (record.deployed() == null || deployed == null) {
      return take(From.NAMED, "Start from what the spec names");
    }
    boolean gone = deployed.cluster() == Cluster.MISSING;
    if (record.phase() == ApplicationPhase.SAVEPOINTING && record.savepoint() != null) {
      return take(
          From.SAVEPOINT,
          gone ? "Find the savepoint of a cluster that is gone" : "Take a savepoint of the job");
    }
    if (policy.redeploys() && look.isBeside()) {
      return take(From.NAMED, NAMED);
    }
    if (policy.savepointDisabled()) {
      return take(From.NOTHING, "savepointDisabled is true");
    }
    if (record.phase() == ApplicationPhase.CANCELLING) {
      return take(From.NOTHING, "The job is being cancelled");
    }
    return newest(look, deployed, gone);
  }

  private static ApplicationDecision newest(
      ApplicationLook look, VersionSeen deployed, boolean gone) {
    JobObservation job = deployed.job();
    if (job instanceof JobObservation.Alive alive) {
      return alive.jobId().equals(look.asked().savepointFailed())
          ? take(From.CHECKPOINT, "No savepoint can be taken")
          : take(From.SAVEPOINT, "Take a savepoint of the job");
    }
    boolean ended =
        job instanceof JobObservation.Ended || job instanceof JobObservation.NeverStarted;
    String known = look.asked().down();
    boolean down = known != null && known.equals(deployed.version().jobId());
    if (!ended && !down && !look.asked().patient()) {
      return new Settle("Wait whether the job of that version comes back");
    }
    if (job instanceof JobObservation.Unreachable unreachable && !gone && !down) {
      return deployed.version().jobId() == null
          ? silent(deployed, unreachable)
          : go(
              Stage.CONFIRM_DOWN,
              "Make sure that the job of %s does not run".formatted(deployed.version().display()));
    }
    return take(From.CHECKPOINT, "Find the newest state of a job that does not run");
  }

  private static Hold silent(VersionSeen deployed, JobObservation.Unreachable unreachable) {
    return new Hold(
        true,
        Reasons.JOB_MANAGER_SILENT,
        "The JobManager of %s does not answer (%s), so its job may run. If it will never answer again, delete its Deployments"
            .formatted(deployed.version().display(), unreachable.why()));
  }

  private static Cluster cluster(ApplicationLook look) {
    VersionSeen target = look.seen().target();
    return target == null ? Cluster.MISSING : target.cluster();
  }

  private static GoOn take(From from, String why) {
    return new GoOn(Stage.TAKE_STATE, from, why);
  }

  private static GoOn go(Stage stage, String why) {
    return new GoOn(stage, null, why);
  }
}
