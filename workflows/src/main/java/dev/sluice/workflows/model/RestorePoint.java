package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/**
 * The state that an operation recorded, and the job that is started from it. While that job cannot
 * have progressed, the state is the newest there is; as soon as it may have, it is not. A job that
 * goes on from its high-availability metadata keeps its id, and what is recorded is always its
 * newest state: so nothing is concluded from it, the metadata itself is looked at.
 *
 * @param state never {@link StateRef.Unknown}
 * @param takenFrom job id of the job that is given up for it: the one that the state was taken
 *     from, or, in a rollback, the one that is rolled back; null when there was none
 * @param startedJob job id of the job that is started from it
 * @param replacedJob job id of a job that was started from the same state before, and is replaced
 *     because it has not progressed; null when there was none
 * @param stableState what the job of the last stable spec left, where {@code state} was taken from
 *     a later job that was never stable; null where {@code state} is it
 * @param upJob job id of a job that was started from the state and whose tasks were all up, while
 *     its operation goes on: it may have progressed for hours; null when that is not known of any
 * @param initial the state is what a spec named for a first start, or nothing: no job of the
 *     resource has made it, so that a spec that names another one is followed
 */
@WithMethods
public record RestorePoint(
    StateRef state,
    @Nullable String takenFrom,
    String startedJob,
    @Nullable String replacedJob,
    @Nullable StateRef stableState,
    @Nullable String upJob,
    boolean initial)
    implements RestorePointBuilder.With {
  /** The job is the first that is started from the state, which the last stable job left. */
  public RestorePoint(StateRef state, @Nullable String takenFrom, String startedJob) {
    this(state, takenFrom, startedJob, null, null, null, false);
  }

  /** Refuses an unknown state, and another job for what only the same can go on from. */
  public RestorePoint {
    if (!state.isKnown()) {
      throw new IllegalArgumentException("An unknown state cannot be recorded: " + state.display());
    }
    if (state instanceof StateRef.HaMetadata metadata && !metadata.jobId().equals(startedJob)) {
      throw new IllegalArgumentException(
          "Job %s cannot go on from %s".formatted(startedJob, state.display()));
    }
    if (stableState instanceof StateRef.Unknown || stableState instanceof StateRef.HaMetadata) {
      throw new IllegalArgumentException("Not kept beside another: " + stableState.display());
    }
  }

  /**
   * What is recorded before a job is started from that state.
   *
   * @param given job id of the job that is given up for it; null when there was none
   * @param next the id of a new job, unless the same job goes on
   */
  public static RestorePoint of(StateRef state, @Nullable String given, String next) {
    return state instanceof StateRef.HaMetadata metadata
        ? new RestorePoint(state, metadata.jobId(), metadata.jobId())
        : new RestorePoint(state, given, next);
  }

  /** The same job goes on, from its high-availability metadata. */
  @JsonIgnore
  public boolean isSameJob() {
    return state instanceof StateRef.HaMetadata;
  }

  /** The same state, for a job that replaces one that has not progressed beyond it. */
  public RestorePoint again(@Nullable String replaced, String started) {
    return withStartedJob(started).withReplacedJob(replaced);
  }

  /**
   * The state that was taken from a job that was never stable, while {@code before} was recorded.
   * What the last stable job left stays known, unless that was metadata, which the later job has
   * used.
   */
  public RestorePoint after(RestorePoint before) {
    StateRef left = before.leftByStable();
    return left instanceof StateRef.HaMetadata ? this : leaving(left);
  }

  /** The same, where what the last stable job left is not the state that is started from. */
  public RestorePoint leaving(StateRef left) {
    return withStableState(left.equals(state) ? null : left);
  }

  /** The same for what a spec names for a first start; as it is where no spec does. */
  public RestorePoint initial(StateRef named, boolean isNamed) {
    return isNamed ? withState(named).withInitial(true) : this;
  }

  /** The same once its job is stable, or suspended: nothing before it is gone back to. */
  public RestorePoint settled() {
    return withStableState(null).withUpJob(null).withInitial(false);
  }

  /** What the job of the last stable spec left: the state to go back to. */
  @JsonIgnore
  public StateRef leftByStable() {
    return stableState == null ? state : stableState;
  }

  /** The same once every task of that job was up; as it is, if the job was not started from it. */
  public RestorePoint up(String jobId) {
    return starts(jobId) ? withUpJob(jobId) : this;
  }

  /** Whether every task of that job was up, so that the state may be old by now. */
  public boolean wasUp(@Nullable String jobId) {
    return upJob != null && upJob.equals(jobId);
  }

  /** Whether a job with that id was, or will be, started from the state. */
  public boolean starts(@Nullable String jobId) {
    return startedJob.equals(jobId) || (replacedJob != null && replacedJob.equals(jobId));
  }
}
