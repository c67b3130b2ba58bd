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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest state of a job that must not lose it, and how to suspend the job so that this
 * state stays. Pure. Each row of docs/operations.md, "What the new job starts from", is a line
 * here; in each method the first line that fits decides:
 *
 * <table>
 *   <caption>Where the rows are</caption>
 *   <tr><th>The job</th><th>Method</th></tr>
 *   <tr><td>was never started</td><td>{@link #decide}</td></tr>
 *   <tr><td>every task is up</td><td>{@link #alive}, {@link #lastState}</td></tr>
 *   <tr><td>not every task is up</td><td>{@link #notUp}</td></tr>
 *   <tr><td>FAILED, CANCELED, FINISHED</td><td>{@link #ended}</td></tr>
 *   <tr><td>gone or silent</td><td>{@link #provedUnprogressed}, {@link #absent}, {@link
 *     #unreachable}</td></tr>
 * </table>
 *
 * @param patient the observation has already waited for things to settle
 */
record StatePlanner(Observation seen, Target target, boolean patient) {

  // ---- by what the job is ----

  Decision decide() {
    JobObservation job = seen.job();
    boolean back = seen.phase() == Phase.ROLLING_BACK && isLeftToMetadata();
    if (back
        && !(job instanceof Ended)
        && fromMetadata("The upgrade is rolled back") instanceof Proceed it) {
      // there is no other state from before, so the job goes on from its newest
      return it;
    }
    if (job instanceof NeverStarted never) {
      StateRef from = seen.recorded() == null ? FirstStart.of(target) : seen.recorded().state();
      String starts =
          from instanceof StateRef.Empty ? "The job starts empty: " : "No job ran yet: ";
      return start(from, starts + never.proof() + ".");
    }
    if (job instanceof Alive alive) {
      return alive(alive);
    }
    if (job instanceof Ended ended) {
      return ended(ended);
    }
    String is =
        job instanceof Unreachable silent ? silent.why() : "The JobManager answers but has no job";
    Decision recorded = provedUnprogressed(is);
    if (recorded != null) {
      return recorded;
    }
    return job instanceof Absent absent ? absent(absent, is + ".") : unreachable(is);
  }

  private Decision alive(Alive job) {
    RestorePoint recorded = explicit();
    if (recorded != null && job.jobId().equals(recorded.takenFrom())) {
      return proceed(
          Suspend.discarding(seen),
          recorded.state(),
          "What the new job starts from is recorded already; this one is given up.");
    }
    if (job.state() == FlinkJobState.CANCELLING || job.state() == FlinkJobState.FAILING) {
      return Decision.notYet(patient, "The job is " + job.state() + ".");
    }
    if (!job.isUp()) {
      return patient ? notUp(job) : new Settle(job.display());
    }
    return target.upgradeMode() == UpgradeMode.LAST_STATE
        ? lastState(job)
        : Proceed.stop(seen, job.jobId(), "The job runs; it is stopped with a savepoint.");
  }

  /** The job does not run in full, and waiting did not help: a savepoint is not possible. */
  private Decision notUp(Alive job) {
    String is = job.display();
    // Flink reports no checkpoint of a job without tasks, however many there were: before its
    // scheduler is set up, and when an adaptive one has lost all slots. The metadata decides
    boolean waits = job.state() == FlinkJobState.CREATED || job.tasks().total() == 0;
    boolean untold = waits && !hasState(job.newest());
    boolean hidden = untold && (wasUp() || jobInMetadata() != null);
    StateRef newest =
        hidden
            ? new StateRef.Unknown("Flink does not tell the checkpoints of a job without tasks")
            : job.newest();
    boolean none = untold && seen.cluster().highAvailability() == HighAvailability.NO_CHECKPOINT;
    boolean progressed = hidden || (job.progressed() && !none);
    Suspend cancel = new Suspend(How.DISCARD_UNPROGRESSED, job.jobId());
    Decision before = asBefore(job.jobId(), cancel, newest, progressed, is);
    if (before != null) {
      return before;
    }
    if (insistsOnSavepoint()) {
      return waitsForSavepoint(is);
    }
    if (newest instanceof StateRef.Unknown unknown) {
      return metadataOrLost(is + " Its newest state is not known: " + unknown.reason());
    }
    return job.keepsCheckpoints() == Retention.RETAINED
        ? cancelAndKeep(job, is + " No savepoint is possible; its newest checkpoint is kept.")
        : metadataOrLost(
            is
                + " No savepoint is possible now, and Flink would delete its newest checkpoint with"
                + " a cancellation (externalized-checkpoint-retention)");
  }

  private Decision ended(Ended job) {
    RestorePoint recorded = explicit();
    StateRef newest = job.newest();
    String is = "The job is " + job.state() + ".";
    // a stateless spec was applied and left again before its job ran
    boolean leftByStateless = recorded != null && recorded.state().equals(StateRef.Empty.STATELESS);
    if (recorded != null
        && job.jobId().equals(recorded.takenFrom())
        && !(leftByStateless && hasState(newest))) {
      return start(recorded.state(), is + " Its state is recorded.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return finished(job);
    }
    Decision before = asBefore(job.jobId(), Suspend.NONE, newest, job.progressed(), is);
    if (before != null) {
      return before;
    }
    return newest instanceof StateRef.Unknown unknown
        ? Hold.lost(false, is + " Its newest state is not known: " + unknown.reason() + ".")
        : start(newest, is + " The new job starts from its newest state.");
  }

  private Decision finished(Ended job) {
    if (job.newest() instanceof StateRef.Savepoint) {
      return start(job.newest(), "The job was stopped with this savepoint.");
    }
    return job.newest() instanceof StateRef.Empty
        ? start(new StateRef.Empty("the job had finished by itself"), "The job has finished.")
        : Proceed.stop(
            seen, job.jobId(), "The job has finished; Flink is asked for its savepoint.");
  }

  /**
   * Of a job that has made no state of its own: what it was started from. Null where it has made
   * one, or that is not known.
   *
   * @param cancel how it ends, as long as it has still not progressed
   */
  private @Nullable Decision asBefore(
      String jobId, Suspend cancel, StateRef newest, boolean progressed, String is) {
    RestorePoint recorded = explicit();
    if (!progressed && recorded != null && recorded.starts(jobId)) {
      return proceed(cancel, recorded.state(), is + " It has not progressed since its start.");
    }
    if (newest instanceof StateRef.Empty) {
      return seen.stableGeneration() == null
          ? proceed(cancel, FirstStart.of(target), is + " It never had any state.")
          : Hold.lost(cancel.jobId() != null, is + " It has no checkpoint.");
    }
    return !progressed && newest.isKnown()
        ? proceed(cancel, newest, is + " It has not progressed since it was restored.")
        : null;
  }

  /** The JobManager answers and knows no job: it was restarted after the job had ended. */
  private Decision absent(Absent job, String none) {
    if (!patient) {
      return new Settle(none);
    }
    RestorePoint begun = explicit();
    if (begun != null
        && !wasUp()
        && begun.starts(job.jobId())
        && seen.cluster().highAvailability() == HighAvailability.OFF) {
      return start(
          begun.state(), "The job was not submitted; it starts from the recorded state again.");
    }
    return job.jobId() == null || seen.recorded() != null
        ? Hold.lost(false, none)
        : Proceed.stop(seen, job.jobId(), "The job has ended; Flink is asked for its savepoint.");
  }

  private Decision unreachable(String is) {
    boolean mayComeBack = seen.cluster().present();
    Decision metadata = patient || !mayComeBack ? fromMetadata(is) : null;
    if (metadata != null) {
      return insistsOnSavepoint() ? waitsForSavepoint(is + ".") : metadata;
    }
    if (!patient) {
      return new Settle(is + ".");
    }
    if (isLeftToMetadata()) {
      return Hold.lost(
          false, is + ", and its high-availability metadata has no checkpoint to go on from.");
    }
    RestorePoint from = seen.recorded() == null ? seen.startedFrom() : seen.recorded();
    return Hold.lost(
        mayComeBack,
        is
            + ", so the job may have newer state than what is recorded."
            + (from == null || from.state().pathOrNull() == null
                ? ""
                : " It was started from " + from.state().display() + "."));
  }

  // ---- what is known of its state ----

  private static boolean hasState(StateRef state) {
    return state.isKnown() && !(state instanceof StateRef.Empty);
  }

  /** What is recorded is the metadata, which has to be looked at itself. */
  private boolean isLeftToMetadata() {
    return seen.recorded() != null && seen.recorded().isSameJob();
  }

  /** The recorded state, unless that is metadata; else null. */
  private @Nullable RestorePoint explicit() {
    return isLeftToMetadata() ? null : seen.recorded();
  }

  /** Every task of the job that is there, or was last, was up: how far it has come is not known. */
  private boolean wasUp() {
    RestorePoint recorded = seen.recorded();
    ClusterObservation cluster = seen.cluster();
    return recorded != null
        && recorded.wasUp(cluster.present() ? cluster.jobId() : recorded.startedJob());
  }

  /**
   * From the recorded state, which is the newest as long as the cluster stays as it was seen. Null
   * where that is not proved.
   */
  private @Nullable Decision provedUnprogressed(String why) {
    ClusterObservation cluster = seen.cluster();
    RestorePoint recorded = explicit();
    if (recorded == null || !isNewest(recorded)) {
      return null;
    }
    boolean restsOnIt =
        cluster.present() && cluster.jobId() != null && recorded.starts(cluster.jobId());
    boolean resumes = !seen.begun() && seen.frozen() != null && seen.frozen().suspended();
    Plan plan =
        start(
                recorded.state(),
                "The job starts from %s, which is recorded: %s."
                    .formatted(recorded.state().display(), resumes ? "it was suspended" : why))
            .plan();
    return new Proceed(
        restsOnIt ? plan.withTeardown(plan.teardown().withOnlyWhile(cluster.evidence())) : plan);
  }

  /** Whether it is proved that nothing progressed beyond the recorded state. */
  private boolean isNewest(RestorePoint recorded) {
    ClusterObservation cluster = seen.cluster();
    HighAvailability metadata = cluster.highAvailability();
    if (cluster.present() && !recorded.starts(cluster.jobId())) {
      return Objects.equals(recorded.takenFrom(), cluster.jobId());
    }
    if (metadata == HighAvailability.NO_CHECKPOINT) {
      return true;
    }
    if (wasUp()) {
      return false;
    }
    if (!cluster.present()) {
      // its cluster was never created
      return !recorded.startedJob().equals(cluster.preparedJobId());
    }
    return switch (cluster.jobManager()) {
      // a JobManager with a readiness probe that fails works all the same
      case NEVER_READY -> metadata != HighAvailability.CHECKPOINT;
      // Flink writes metadata when it begins a job; without, it begins the same again by itself
      case CRASHED_AT_START ->
          metadata == HighAvailability.NO_METADATA || metadata == HighAvailability.OFF;
      case CRASHING -> metadata == HighAvailability.OFF;
      case MAY_HAVE_RUN -> false;
    };
  }

  /** The spec wants a savepoint and nothing else. */
  private boolean insistsOnSavepoint() {
    return target.upgradeMode() == UpgradeMode.SAVEPOINT
        && !target.options().fallsBack()
        && seen.phase() != Phase.ROLLING_BACK
        && !isLeftToMetadata();
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
      return Proceed.stop(
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
      return !target.options().cancels()
              && fromMetadata("The job runs, and job-cancel.enabled is false")
                  instanceof Proceed metadata
          ? metadata
          : cancelAndKeep(job, "The job runs; it is cancelled, its newest checkpoint is kept.");
    }
    String why =
        "The job runs, but "
            + (old ? "its newest checkpoint is older than max.allowed.checkpoint.age" : lacks);
    if (old && isYoung(job, job.times().pendingSinceMs())) {
      return Decision.notYet(patient, why + ". Another one is in progress, which is waited for.");
    }
    if (canSave) {
      return Proceed.stop(seen, job.jobId(), why + ": it is stopped with a savepoint.");
    }
    String none = why + ", and no directory for savepoints is configured";
    return old ? Hold.lost(true, none + ".") : metadataOrLost(none);
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
  private @Nullable Decision fromMetadata(String why) {
    String jobId = jobInMetadata();
    if (jobId == null) {
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

  /** The job of which the metadata has a checkpoint; null when it has none. */
  private @Nullable String jobInMetadata() {
    ClusterObservation cluster = seen.cluster();
    if (cluster.highAvailability() != HighAvailability.CHECKPOINT) {
      return null;
    }
    return cluster.present() ? cluster.jobId() : cluster.preparedJobId();
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
        ? "and it is not known which Flink version wrote that." + Hold.NEVER_WITHOUT
        : "which no other Flink version reads. Set spec.flinkVersion to %s again; change it with a later upgrade, once the job runs."
            .formatted(
                deployed.flinkVersion() == null ? "what it was" : deployed.flinkVersion().wire());
  }

  /** What can be done with the metadata of a job that Flink still reports. */
  private Decision metadataOrLost(String why) {
    return fromMetadata(why) instanceof Proceed proceed ? proceed : Hold.lost(true, why + ".");
  }

  // ---- decisions ----

  private static Decision waitsForSavepoint(String state) {
    return Decision.notYet(
        true,
        state
            + " No savepoint is possible now, and last-state-fallback.enabled is false. The upgrade"
            + " waits until every task is up; upgradeMode last-state takes its last state now.");
  }

  private Decision cancelAndKeep(Alive job, String why) {
    return Proceed.with(
        seen,
        new Suspend(How.CANCEL_AND_KEEP_CHECKPOINT, job.jobId()),
        new Restore.FromSuspended(),
        why);
  }

  private Proceed start(StateRef from, String why) {
    return proceed(Suspend.NONE, from, why);
  }

  private Proceed proceed(Suspend suspend, StateRef from, String why) {
    return Proceed.with(seen, suspend, new Restore.From(from), why);
  }
}
