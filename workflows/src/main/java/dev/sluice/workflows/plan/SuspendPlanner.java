package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest state of a job that must not lose it, and how to suspend the job so that this
 * state stays. Pure.
 */
final class SuspendPlanner {

  static final String NEVER_WITHOUT =
      " Sluice never starts it without its state. To choose one, annotate with sluice.dev/restore-from"
          + " (recorded, empty, or the path of a savepoint or checkpoint) and sluice.dev/retry.";

  Decision decide(Observation seen, Target target, boolean patient) {
    JobObservation job = seen.job();
    Decision back = backToMetadata(seen, target);
    if (back != null) {
      return back;
    }
    if (job instanceof JobObservation.NeverStarted never) {
      RestorePoint recorded = seen.recorded();
      StateRef from = recorded == null ? FirstStart.of(target) : recorded.state();
      String starts =
          from instanceof StateRef.Empty ? "The job starts empty" : "No job has started";
      return start(seen, from, starts + ": " + never.proof() + ".");
    }
    if (job instanceof Alive alive) {
      return alive(seen, target, alive, patient);
    }
    if (job instanceof Ended ended) {
      return ended(seen, target, ended);
    }
    return job instanceof Absent absent
        ? absent(seen, absent, patient)
        : unreachable(seen, target, (Unreachable) job, patient);
  }

  /**
   * A rollback to a spec whose job had gone on from its metadata: there is no other state from
   * before, so the job goes on from its newest, whatever it does now.
   */
  private static @Nullable Decision backToMetadata(Observation seen, Target target) {
    RestorePoint recorded = seen.recorded();
    boolean back =
        seen.phase() == Observation.Phase.ROLLING_BACK
            && recorded != null
            && recorded.isSameJob()
            && !(seen.job() instanceof Ended);
    return back
            && MetadataPlanner.goOn(seen, target, "The upgrade is rolled back")
                instanceof Proceed it
        ? it
        : null;
  }

  /** The recorded state, unless that is metadata, which is looked at itself; else null. */
  private static @Nullable RestorePoint explicit(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return recorded != null && recorded.isSameJob() ? null : recorded;
  }

  /** The spec wants a savepoint and nothing else. */
  static boolean insistsOnSavepoint(Observation seen, Target target) {
    boolean suspended = seen.recorded() != null && seen.recorded().isSameJob();
    return target.upgradeMode() == UpgradeMode.SAVEPOINT
        && !target.options().fallsBack()
        && seen.phase() != Observation.Phase.ROLLING_BACK
        && !suspended;
  }

  static Decision waitsForSavepoint(String state) {
    return new Hold(
        true,
        Reasons.BLOCKED,
        state
            + " No savepoint is possible now, and last-state-fallback.enabled is false. The upgrade"
            + " waits until every task is up; upgradeMode last-state takes its last state now.",
        false);
  }

  private Decision alive(Observation seen, Target target, Alive job, boolean patient) {
    RestorePoint recorded = explicit(seen);
    if (recorded != null && job.jobId().equals(recorded.takenFrom())) {
      return discard(
          seen,
          job.jobId(),
          recorded.state(),
          "What the new job starts from is recorded already; this one is given up.");
    }
    if (job.state() == FlinkJobState.CANCELLING || job.state() == FlinkJobState.FAILING) {
      return notYet(patient, "The job is " + job.state() + ".", false);
    }
    if (job.isUp()) {
      return target.upgradeMode() == UpgradeMode.LAST_STATE
          ? LastStatePlanner.decide(seen, target, job, patient)
          : stop(seen, job.jobId(), "The job runs; it is stopped with a savepoint.");
    }
    String state = "The job is %s, %s.".formatted(job.state(), job.tasks().display());
    return patient ? notUp(seen, target, job, state) : new Settle(state);
  }

  /** What can be done with the metadata of a job that Flink still tells of. */
  static Decision orLost(@Nullable Decision fromMetadata, String why) {
    return fromMetadata instanceof Proceed proceed ? proceed : lost(true, why);
  }

  /** The job does not run in full, and waiting did not help: a savepoint is not possible. */
  private static Decision notUp(Observation seen, Target target, Alive job, String state) {
    RestorePoint recorded = explicit(seen);
    Decision waiting = WaitingForSlots.decide(seen, target, job, recorded, state);
    if (waiting != null) {
      return waiting;
    }
    if (!job.progressed() && recorded != null && recorded.starts(job.jobId())) {
      return discardUnprogressed(
          seen, job.jobId(), recorded.state(), state + " It has not progressed since its start.");
    }
    if (job.newest() instanceof StateRef.Unknown unknown) {
      if (insistsOnSavepoint(seen, target)) {
        return waitsForSavepoint(state);
      }
      String why = state + " Its newest state is not known: " + unknown.reason();
      return orLost(MetadataPlanner.goOn(seen, target, why), why + ".");
    }
    if (job.newest() instanceof StateRef.Empty) {
      return seen.stableGeneration() == null
          ? discardUnprogressed(
              seen, job.jobId(), FirstStart.of(target), state + " It never had any state.")
          : lost(true, state + " It has no checkpoint.");
    }
    if (!job.progressed()) {
      return discardUnprogressed(
          seen, job.jobId(), job.newest(), state + " It has not progressed since it was restored.");
    }
    if (insistsOnSavepoint(seen, target)) {
      return waitsForSavepoint(state);
    }
    if (job.keepsCheckpoints() != Retention.RETAINED) {
      String why =
          state
              + " No savepoint is possible now, and Flink would delete its newest checkpoint with a"
              + " cancellation (externalized-checkpoint-retention)";
      return orLost(MetadataPlanner.goOn(seen, target, why), why + ".");
    }
    return cancelAndKeep(
        seen, job, state + " No savepoint is possible; its newest checkpoint is kept.");
  }

  static Decision cancelAndKeep(Observation seen, Alive job, String why) {
    return new Proceed(
        new Plan(
            new Suspend.CancelAndKeepCheckpoint(job.jobId()),
            new Restore.FromSuspended(),
            UpgradePlanner.replace(seen),
            why));
  }

  private static Decision ended(Observation seen, Target target, Ended job) {
    RestorePoint recorded = explicit(seen);
    String is = "The job is " + job.state() + ".";
    if (recorded != null
        && job.jobId().equals(recorded.takenFrom())
        && !(leftByStateless(recorded) && hasState(job))) {
      return start(seen, recorded.state(), is + " Its state is recorded.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return finished(seen, job);
    }
    if (recorded != null && recorded.starts(job.jobId()) && !job.progressed()) {
      return start(seen, recorded.state(), is + " It had not progressed since its start.");
    }
    if (job.newest() instanceof StateRef.Unknown unknown) {
      return lost(false, is + " Its newest state is not known: " + unknown.reason() + ".");
    }
    if (job.newest() instanceof StateRef.Empty) {
      return seen.stableGeneration() == null
          ? start(seen, FirstStart.of(target), is + " It never had any state.")
          : lost(false, is + " It has no checkpoint.");
    }
    return start(seen, job.newest(), is + " The new job starts from its newest state.");
  }

  /** A stateless spec was applied and left again before its job ran. */
  private static boolean leftByStateless(RestorePoint recorded) {
    return recorded.state().equals(StateRef.Empty.STATELESS);
  }

  private static boolean hasState(Ended job) {
    return job.newest().isKnown() && !(job.newest() instanceof StateRef.Empty);
  }

  private static Decision finished(Observation seen, Ended job) {
    if (job.newest() instanceof StateRef.Savepoint) {
      return start(seen, job.newest(), "The job was stopped with this savepoint.");
    }
    return job.newest() instanceof StateRef.Empty
        ? start(seen, new StateRef.Empty("the job had finished by itself"), "The job has finished.")
        : stop(seen, job.jobId(), "The job has finished; Flink is asked for its savepoint.");
  }

  /** The JobManager answers and knows no job: it was restarted after the job had ended. */
  private static Decision absent(Observation seen, Absent job, boolean patient) {
    StateRef recorded = recordedIfNewest(seen);
    if (recorded != null) {
      return startUnprogressed(seen, recorded, "The JobManager has no job");
    }
    if (!patient) {
      return new Settle("The JobManager answers but has no job.");
    }
    RestorePoint begun = seen.recorded();
    if (begun != null
        && !wasUp(seen)
        && !begun.isSameJob()
        && begun.starts(job.jobId())
        && seen.cluster().highAvailability() == HighAvailability.OFF) {
      return start(
          seen,
          begun.state(),
          "The job was not submitted; it starts from the recorded state again.");
    }
    return job.jobId() == null || begun != null
        ? lost(false, "The JobManager answers but has no job.")
        : stop(seen, job.jobId(), "The job has ended; Flink is asked for its savepoint.");
  }

  private static Decision unreachable(
      Observation seen, Target target, Unreachable job, boolean patient) {
    StateRef recorded = recordedIfNewest(seen);
    if (recorded != null) {
      return startUnprogressed(seen, recorded, job.why());
    }
    boolean mayComeBack = seen.cluster().present();
    if (patient || !mayComeBack) {
      Decision metadata = MetadataPlanner.goOn(seen, target, job.why());
      if (metadata != null) {
        return insistsOnSavepoint(seen, target) ? waitsForSavepoint(job.why() + ".") : metadata;
      }
    }
    if (!patient) {
      return new Settle(job.why() + ".");
    }
    boolean vanished = seen.recorded() != null && seen.recorded().isSameJob();
    return lost(
        mayComeBack && !vanished,
        vanished
            ? job.why()
                + ", and the high-availability metadata that the job was to go on from has no"
                + " checkpoint any more."
            : job.why()
                + ", so the job may have newer state than what is recorded."
                + startedFrom(seen));
  }

  private static String startedFrom(Observation seen) {
    RestorePoint point = seen.recorded() == null ? seen.startedFrom() : seen.recorded();
    return point == null || point.state().pathOrNull() == null
        ? ""
        : " It was started from " + point.state().display() + ".";
  }

  /** Every task of the job that is there, or was last, was up: how far it has come is not known. */
  static boolean wasUp(Observation seen) {
    RestorePoint recorded = seen.recorded();
    ClusterObservation cluster = seen.cluster();
    return recorded != null
        && recorded.wasUp(cluster.present() ? cluster.jobId() : recorded.startedJob());
  }

  /** The recorded state, if it is proved that nothing progressed beyond it; else null. */
  private static @Nullable StateRef recordedIfNewest(Observation seen) {
    RestorePoint recorded = explicit(seen);
    if (recorded == null) {
      return null;
    }
    ClusterObservation cluster = seen.cluster();
    if (cluster.present() && !recorded.starts(cluster.jobId())) {
      return Objects.equals(recorded.takenFrom(), cluster.jobId()) ? recorded.state() : null;
    }
    if (cluster.highAvailability() == HighAvailability.NO_CHECKPOINT) {
      return recorded.state();
    }
    if (wasUp(seen)) {
      return null;
    }
    boolean neverCreated =
        !cluster.present() && !recorded.startedJob().equals(cluster.preparedJobId());
    // a JobManager with a readiness probe that fails works all the same
    boolean neverUp =
        cluster.present()
            && cluster.jobManager() == JobManager.NEVER_READY
            && cluster.highAvailability() != HighAvailability.CHECKPOINT;
    boolean crashedAtStart =
        cluster.present() && cluster.jobManager() == JobManager.CRASHED_AT_START;
    // Flink writes metadata when it begins a job, and no JobManager has come as far as that
    boolean neverBegun =
        crashedAtStart && cluster.highAvailability() == HighAvailability.NO_METADATA;
    // Flink itself would start from the recorded state again
    boolean beginsAnewByItself =
        cluster.present()
            && (crashedAtStart || cluster.jobManager() == JobManager.CRASHING)
            && cluster.highAvailability() == HighAvailability.OFF;
    return neverCreated || neverUp || neverBegun || beginsAnewByItself ? recorded.state() : null;
  }

  static Decision notYet(boolean patient, String why, boolean offersRestoreFrom) {
    return patient ? new Hold(true, Reasons.BLOCKED, why, offersRestoreFrom) : new Settle(why);
  }

  static Decision lost(boolean mayPass, String why) {
    return new Hold(mayPass, Reasons.STATE_NOT_FOUND, why + NEVER_WITHOUT, true);
  }

  private static Decision start(Observation seen, StateRef from, String why) {
    return new Proceed(
        new Plan(new Suspend.None(), new Restore.From(from), UpgradePlanner.replace(seen), why));
  }

  /** From the recorded state, which is the newest as long as the cluster stays as it was seen. */
  private static Decision startUnprogressed(Observation seen, StateRef from, String why) {
    ClusterObservation cluster = seen.cluster();
    RestorePoint recorded = Objects.requireNonNull(seen.recorded());
    Plan.Teardown.Replace replace = Plan.Teardown.Replace.of(cluster);
    Plan.Teardown teardown =
        cluster.present() && cluster.jobId() != null && recorded.starts(cluster.jobId())
            ? replace.whileIt(cluster.evidence())
            : replace;
    boolean resumes = !seen.begun() && seen.frozen() != null && seen.frozen().suspended();
    String told = resumes ? "The job was suspended" : why;
    return new Proceed(
        new Plan(
            new Suspend.None(),
            new Restore.From(from),
            teardown,
            "%s; it starts from %s, which is recorded.".formatted(told, from.display())));
  }

  static Decision discardUnprogressed(Observation seen, String jobId, StateRef from, String why) {
    return new Proceed(
        new Plan(
            new Suspend.DiscardUnprogressed(jobId),
            new Restore.From(from),
            UpgradePlanner.replace(seen),
            why));
  }

  private static Decision discard(Observation seen, String jobId, StateRef from, String why) {
    return new Proceed(
        new Plan(
            new Suspend.Discard(jobId), new Restore.From(from), UpgradePlanner.replace(seen), why));
  }

  static Decision stop(Observation seen, String jobId, String why) {
    return new Proceed(
        new Plan(
            new Suspend.StopWithSavepoint(jobId),
            new Restore.FromSuspended(),
            UpgradePlanner.replace(seen),
            why));
  }
}
