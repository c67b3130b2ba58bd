package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Decision.Settle;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Plan.Suspend.How;
import dev.sluice.workflows.plan.Plan.Teardown;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest state of a job that must not lose it, and how to suspend the job so that this
 * state stays. Pure.
 *
 * @param patient the observation has already waited for things to settle
 */
record StatePlanner(Observation seen, Target target, boolean patient) {

  static final String NEVER_WITHOUT =
      " Sluice never starts it without its state. To choose one, annotate with sluice.dev/restore-from"
          + " (recorded, empty, or the path of a savepoint or checkpoint) and sluice.dev/retry.";

  // ---- by what the job is ----

  Decision decide() {
    JobObservation job = seen.job();
    RestorePoint recorded = seen.recorded();
    boolean back = seen.phase() == Phase.ROLLING_BACK && recorded != null && recorded.isSameJob();
    if (back
        && !(job instanceof Ended)
        && goOnFromMetadata("The upgrade is rolled back") instanceof Proceed it) {
      // there is no other state from before, so the job goes on from its newest
      return it;
    }
    if (job instanceof NeverStarted never) {
      StateRef from = recorded == null ? FirstStart.of(target) : recorded.state();
      String starts =
          from instanceof StateRef.Empty ? "The job starts empty" : "No job has started";
      return start(from, starts + ": " + never.proof() + ".");
    }
    if (job instanceof Alive alive) {
      return alive(alive);
    }
    if (job instanceof Ended ended) {
      return ended(ended);
    }
    return job instanceof Absent absent ? absent(absent) : unreachable((Unreachable) job);
  }

  private Decision alive(Alive job) {
    RestorePoint recorded = explicit();
    if (recorded != null && job.jobId().equals(recorded.takenFrom())) {
      return proceed(
          new Suspend(How.DISCARD, job.jobId()),
          recorded.state(),
          "What the new job starts from is recorded already; this one is given up.");
    }
    if (job.state() == FlinkJobState.CANCELLING || job.state() == FlinkJobState.FAILING) {
      return notYet(patient, "The job is " + job.state() + ".");
    }
    if (!job.isUp()) {
      return patient ? notUp(job, job.display()) : new Settle(job.display());
    }
    return target.upgradeMode() == UpgradeMode.LAST_STATE
        ? lastState(job)
        : stop(seen, job.jobId(), "The job runs; it is stopped with a savepoint.");
  }

  /** The job does not run in full, and waiting did not help: a savepoint is not possible. */
  private Decision notUp(Alive job, String state) {
    RestorePoint recorded = explicit();
    Decision waiting = waitingForSlots(job, recorded, state);
    if (waiting != null) {
      return waiting;
    }
    if (!job.progressed() && recorded != null && recorded.starts(job.jobId())) {
      return discardUnprogressed(
          job.jobId(), recorded.state(), state + " It has not progressed since its start.");
    }
    if (job.newest() instanceof StateRef.Unknown unknown) {
      return insistsOnSavepoint()
          ? waitsForSavepoint(state)
          : metadataOrLost(state + " Its newest state is not known: " + unknown.reason());
    }
    if (job.newest() instanceof StateRef.Empty) {
      return seen.stableGeneration() == null
          ? discardUnprogressed(
              job.jobId(), FirstStart.of(target), state + " It never had any state.")
          : lost(true, state + " It has no checkpoint.");
    }
    if (!job.progressed()) {
      return discardUnprogressed(
          job.jobId(), job.newest(), state + " It has not progressed since it was restored.");
    }
    if (insistsOnSavepoint()) {
      return waitsForSavepoint(state);
    }
    return job.keepsCheckpoints() == Retention.RETAINED
        ? cancelAndKeep(job, state + " No savepoint is possible; its newest checkpoint is kept.")
        : metadataOrLost(
            state
                + " No savepoint is possible now, and Flink would delete its newest checkpoint with"
                + " a cancellation (externalized-checkpoint-retention)");
  }

  /**
   * Flink answers of a job without tasks that there was never a checkpoint of it, however many
   * there were: before its scheduler is set up, and when an adaptive one has lost all slots. What
   * its metadata says counts. Null where the rules for every job that is not up decide.
   */
  private @Nullable Decision waitingForSlots(
      Alive job, @Nullable RestorePoint recorded, String state) {
    boolean waits = job.state() == FlinkJobState.CREATED || job.tasks().total() == 0;
    if (!waits || hasState(job.newest())) {
      return null;
    }
    String why = state + " Flink does not tell the checkpoints of a job without tasks";
    if (goOnFromMetadata(why) != null || wasUp()) {
      return insistsOnSavepoint() ? waitsForSavepoint(state) : metadataOrLost(why);
    }
    return recorded != null
            && recorded.starts(job.jobId())
            && seen.cluster().highAvailability() == HighAvailability.NO_CHECKPOINT
        ? discardUnprogressed(
            job.jobId(), recorded.state(), state + " Its metadata has no checkpoint.")
        : null;
  }

  private static boolean hasState(StateRef state) {
    return state.isKnown() && !(state instanceof StateRef.Empty);
  }

  private Decision ended(Ended job) {
    RestorePoint recorded = explicit();
    String is = "The job is " + job.state() + ".";
    // a stateless spec was applied and left again before its job ran
    boolean leftByStateless = recorded != null && recorded.state().equals(StateRef.Empty.STATELESS);
    if (recorded != null
        && job.jobId().equals(recorded.takenFrom())
        && !(leftByStateless && hasState(job.newest()))) {
      return start(recorded.state(), is + " Its state is recorded.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return finished(job);
    }
    if (recorded != null && recorded.starts(job.jobId()) && !job.progressed()) {
      return start(recorded.state(), is + " It had not progressed since its start.");
    }
    if (job.newest() instanceof StateRef.Unknown unknown) {
      return lost(false, is + " Its newest state is not known: " + unknown.reason() + ".");
    }
    if (job.newest() instanceof StateRef.Empty) {
      return seen.stableGeneration() == null
          ? start(FirstStart.of(target), is + " It never had any state.")
          : lost(false, is + " It has no checkpoint.");
    }
    return start(job.newest(), is + " The new job starts from its newest state.");
  }

  private Decision finished(Ended job) {
    if (job.newest() instanceof StateRef.Savepoint) {
      return start(job.newest(), "The job was stopped with this savepoint.");
    }
    return job.newest() instanceof StateRef.Empty
        ? start(new StateRef.Empty("the job had finished by itself"), "The job has finished.")
        : stop(seen, job.jobId(), "The job has finished; Flink is asked for its savepoint.");
  }

  /** The JobManager answers and knows no job: it was restarted after the job had ended. */
  private Decision absent(Absent job) {
    StateRef recorded = recordedIfNewest();
    if (recorded != null) {
      return startUnprogressed(recorded, "The JobManager has no job");
    }
    String none = "The JobManager answers but has no job.";
    if (!patient) {
      return new Settle(none);
    }
    RestorePoint begun = seen.recorded();
    if (begun != null
        && !wasUp()
        && !begun.isSameJob()
        && begun.starts(job.jobId())
        && seen.cluster().highAvailability() == HighAvailability.OFF) {
      return start(
          begun.state(), "The job was not submitted; it starts from the recorded state again.");
    }
    return job.jobId() == null || begun != null
        ? lost(false, none)
        : stop(seen, job.jobId(), "The job has ended; Flink is asked for its savepoint.");
  }

  private Decision unreachable(Unreachable job) {
    StateRef recorded = recordedIfNewest();
    if (recorded != null) {
      return startUnprogressed(recorded, job.why());
    }
    boolean mayComeBack = seen.cluster().present();
    if (patient || !mayComeBack) {
      Decision metadata = goOnFromMetadata(job.why());
      if (metadata != null) {
        return insistsOnSavepoint() ? waitsForSavepoint(job.why() + ".") : metadata;
      }
    }
    if (!patient) {
      return new Settle(job.why() + ".");
    }
    if (seen.recorded() != null && seen.recorded().isSameJob()) {
      return lost(
          false,
          job.why()
              + ", and the high-availability metadata that the job was to go on from has no"
              + " checkpoint any more.");
    }
    RestorePoint from = seen.recorded() == null ? seen.startedFrom() : seen.recorded();
    return lost(
        mayComeBack,
        job.why()
            + ", so the job may have newer state than what is recorded."
            + (from == null || from.state().pathOrNull() == null
                ? ""
                : " It was started from " + from.state().display() + "."));
  }

  // ---- what is known of its state ----

  /** The recorded state, unless that is metadata, which is looked at itself; else null. */
  private @Nullable RestorePoint explicit() {
    RestorePoint recorded = seen.recorded();
    return recorded != null && recorded.isSameJob() ? null : recorded;
  }

  /** Every task of the job that is there, or was last, was up: how far it has come is not known. */
  private boolean wasUp() {
    RestorePoint recorded = seen.recorded();
    ClusterObservation cluster = seen.cluster();
    return recorded != null
        && recorded.wasUp(cluster.present() ? cluster.jobId() : recorded.startedJob());
  }

  /** The recorded state, if it is proved that nothing progressed beyond it; else null. */
  private @Nullable StateRef recordedIfNewest() {
    RestorePoint recorded = explicit();
    if (recorded == null) {
      return null;
    }
    ClusterObservation cluster = seen.cluster();
    if (cluster.present() && !recorded.starts(cluster.jobId())) {
      return Objects.equals(recorded.takenFrom(), cluster.jobId()) ? recorded.state() : null;
    }
    HighAvailability metadata = cluster.highAvailability();
    if (metadata == HighAvailability.NO_CHECKPOINT) {
      return recorded.state();
    }
    if (wasUp()) {
      return null;
    }
    if (!cluster.present()) {
      boolean neverCreated = !recorded.startedJob().equals(cluster.preparedJobId());
      return neverCreated ? recorded.state() : null;
    }
    boolean nothingDone =
        switch (cluster.jobManager()) {
          // a JobManager with a readiness probe that fails works all the same
          case NEVER_READY -> metadata != HighAvailability.CHECKPOINT;
          // Flink writes metadata when it begins a job; without, it begins the same again by itself
          case CRASHED_AT_START ->
              metadata == HighAvailability.NO_METADATA || metadata == HighAvailability.OFF;
          case CRASHING -> metadata == HighAvailability.OFF;
          case MAY_HAVE_RUN -> false;
        };
    return nothingDone ? recorded.state() : null;
  }

  /** The spec wants a savepoint and nothing else. */
  private boolean insistsOnSavepoint() {
    boolean suspended = seen.recorded() != null && seen.recorded().isSameJob();
    return target.upgradeMode() == UpgradeMode.SAVEPOINT
        && !target.options().fallsBack()
        && seen.phase() != Phase.ROLLING_BACK
        && !suspended;
  }

  // ---- last-state ----

  /**
   * The job runs, and its newest checkpoint is as good as a savepoint, if it is its own: what it
   * was restored from may be of long ago, and deleted since.
   */
  private Decision lastState(Alive job) {
    Observation.Deployed deployed = seen.deployed();
    boolean canSave = deployed == null || deployed.savepointDirectory();
    if (canSave && !isSameVersion()) {
      return stop(
          seen,
          job.jobId(),
          "The job runs; it is stopped with a savepoint, because "
              + (deployed == null
                  ? "it is not known which flinkVersion runs."
                  : "flinkVersion changes."));
    }
    String lacks = whyNoCheckpoint(job);
    boolean old = lacks == null && isTooOld(job);
    if (lacks == null && !old) {
      return newestCheckpoint(job);
    }
    String why =
        old
            ? "The job runs, but its newest checkpoint is older than max.allowed.checkpoint.age"
            : "The job runs, but " + lacks;
    if (old && isYoung(job, job.times().pendingSinceMs())) {
      return notYet(patient, why + ". Another one is in progress, which is waited for.");
    }
    if (canSave) {
      return stop(seen, job.jobId(), why + ": it is stopped with a savepoint.");
    }
    String none = why + ", and no directory for savepoints is configured";
    return old ? lost(true, none + ".") : metadataOrLost(none);
  }

  private Decision newestCheckpoint(Alive job) {
    return !target.options().cancels()
            && goOnFromMetadata("The job runs, and job-cancel.enabled is false")
                instanceof Proceed metadata
        ? metadata
        : cancelAndKeep(job, "The job runs; it is cancelled, its newest checkpoint is kept.");
  }

  /** Why its newest checkpoint cannot be used; null when it can. */
  private static @Nullable String whyNoCheckpoint(Alive job) {
    if (job.newest() instanceof StateRef.Unknown unknown) {
      return "its newest checkpoint is not known (" + unknown.reason() + ")";
    }
    // the folder of a checkpoint is named after its job
    boolean own =
        job.newest() instanceof StateRef.Checkpoint checkpoint
            && checkpoint.path().contains("/" + job.jobId() + "/");
    if (!own) {
      return "its newest state is not a checkpoint of its own";
    }
    return job.keepsCheckpoints() == Retention.RETAINED
        ? null
        : "Flink would delete its checkpoints with a cancellation"
            + " (externalized-checkpoint-retention)";
  }

  /** Neither the job itself nor its newest checkpoint is young enough, as in Apache's operator. */
  private boolean isTooOld(Alive job) {
    return target.options().maxCheckpointAgeMs() != null
        && job.times().observedAtMs() > 0
        && !isYoung(job, job.times().begunAtMs())
        && !isYoung(job, job.times().checkpointAtMs());
  }

  private boolean isYoung(Alive job, long sinceMs) {
    Long most = target.options().maxCheckpointAgeMs();
    return most != null && sinceMs > 0 && job.times().observedAtMs() - sinceMs <= most;
  }

  private boolean isSameVersion() {
    Observation.Deployed deployed = seen.deployed();
    return deployed != null && Objects.equals(deployed.flinkVersion(), target.flinkVersion());
  }

  // ---- high-availability metadata ----

  /**
   * Lets the job go on from its metadata, under its own id: as long as Flink keeps it, that has the
   * newest checkpoint, whatever became of the JobManager. Null when there is none with a checkpoint
   * of the job; {@link Hold} when the target cannot go on from it.
   *
   * @param why the beginning of the plan's sentence: why the job is not suspended in another way
   */
  private @Nullable Decision goOnFromMetadata(String why) {
    ClusterObservation cluster = seen.cluster();
    String jobId = cluster.present() ? cluster.jobId() : cluster.preparedJobId();
    if (jobId == null || cluster.highAvailability() != HighAvailability.CHECKPOINT) {
      return null;
    }
    String obstacle = obstacle();
    if (obstacle != null) {
      return new Hold(
          false,
          Reasons.STATE_NOT_FOUND,
          why + ". Its newest state is in its high-availability metadata only, " + obstacle,
          true);
    }
    return proceed(
        new Suspend(How.KEEP_HA_METADATA, jobId),
        new StateRef.HaMetadata(jobId),
        why + ": the job goes on from its high-availability metadata, under the same id.");
  }

  /** Why the target cannot go on from it, and what to do; null when it can. */
  private @Nullable String obstacle() {
    if (!target.options().highAvailability()) {
      return "and the new spec switches high availability off. Set high-availability.type to"
          + " kubernetes again; switch it off with a later upgrade, once the job runs.";
    }
    if (isSameVersion()) {
      return null;
    }
    Observation.Deployed deployed = seen.deployed();
    return deployed == null
        ? "and it is not known which Flink version wrote that." + NEVER_WITHOUT
        : "which no other Flink version reads. Set spec.flinkVersion to %s again; change it with a later upgrade, once the job runs."
            .formatted(
                deployed.flinkVersion() == null ? "what it was" : deployed.flinkVersion().wire());
  }

  /** What can be done with the metadata of a job that Flink still tells of. */
  private Decision metadataOrLost(String why) {
    return goOnFromMetadata(why) instanceof Proceed proceed ? proceed : lost(true, why + ".");
  }

  // ---- decisions ----

  private static Decision waitsForSavepoint(String state) {
    return new Hold(
        true,
        Reasons.BLOCKED,
        state
            + " No savepoint is possible now, and last-state-fallback.enabled is false. The upgrade"
            + " waits until every task is up; upgradeMode last-state takes its last state now.",
        false);
  }

  static Decision notYet(boolean patient, String why) {
    return patient ? new Hold(true, Reasons.BLOCKED, why, false) : new Settle(why);
  }

  private static Decision lost(boolean mayPass, String why) {
    return new Hold(mayPass, Reasons.STATE_NOT_FOUND, why + NEVER_WITHOUT, true);
  }

  private Decision start(StateRef from, String why) {
    return proceed(Suspend.NONE, from, why);
  }

  /** From the recorded state, which is the newest as long as the cluster stays as it was seen. */
  private Decision startUnprogressed(StateRef from, String why) {
    ClusterObservation cluster = seen.cluster();
    RestorePoint recorded = Objects.requireNonNull(seen.recorded());
    Teardown all = Teardown.of(cluster);
    boolean restsOnIt =
        cluster.present() && cluster.jobId() != null && recorded.starts(cluster.jobId());
    boolean resumes = !seen.begun() && seen.frozen() != null && seen.frozen().suspended();
    return new Proceed(
        new Plan(
            Suspend.NONE,
            new Restore.From(from),
            restsOnIt ? all.whileIt(cluster.evidence()) : all,
            "The job starts from %s, which is recorded: %s."
                .formatted(from.display(), resumes ? "it was suspended" : why)));
  }

  private Decision cancelAndKeep(Alive job, String why) {
    return proceed(
        seen,
        new Suspend(How.CANCEL_AND_KEEP_CHECKPOINT, job.jobId()),
        new Restore.FromSuspended(),
        why);
  }

  private Decision discardUnprogressed(String jobId, StateRef from, String why) {
    return proceed(new Suspend(How.DISCARD_UNPROGRESSED, jobId), from, why);
  }

  static Decision stop(Observation seen, String jobId, String why) {
    return proceed(
        seen, new Suspend(How.STOP_WITH_SAVEPOINT, jobId), new Restore.FromSuspended(), why);
  }

  private Decision proceed(Suspend suspend, StateRef from, String why) {
    return proceed(seen, suspend, new Restore.From(from), why);
  }

  /** The cluster that is there, and no other, may go. */
  static Proceed proceed(Observation seen, Suspend suspend, Restore restore, String why) {
    return new Proceed(new Plan(suspend, restore, Teardown.of(seen.cluster()), why));
  }
}
