package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the workflow's part of the status of an application says, apart from its operation and from
 * the specs of its versions.
 *
 * @param phase what is being done, or how the last operation has ended
 * @param deployed the version that is deployed: it runs, or ran before an operation stopped its
 *     job; null before the first
 * @param target the version that is being deployed, or runs next to the deployed one; null when
 *     there is none
 * @param leaving a version whose cluster is still to be deleted: it was replaced, or is being torn
 *     down; null when there is none. Its spec is not kept
 * @param start the state that was taken, and the job that is started from it; null where nothing is
 *     recorded
 * @param savepoint the savepoint that is being taken; null when none is
 * @param settledGeneration the newest generation for which everything is done; 0 for none
 * @param hashes of versions that are no more
 * @param recoveries how often the job was brought back
 * @param redeployNonce the {@code savepointRedeployNonce} for which a job was last started from
 *     what {@code savepointPath} named; null when none was
 */
public record ApplicationRecord(
    ApplicationPhase phase,
    @Nullable VersionRef deployed,
    @Nullable VersionRef target,
    @Nullable VersionRef leaving,
    @Nullable Start start,
    @Nullable Trigger savepoint,
    long settledGeneration,
    Hashes hashes,
    Recoveries recoveries,
    @Nullable Long redeployNonce) {

  /** Nothing was ever done. */
  public static final ApplicationRecord NONE =
      new ApplicationRecord(
          ApplicationPhase.NEW,
          null,
          null,
          null,
          null,
          null,
          0,
          Hashes.NONE,
          Recoveries.NONE,
          null);

  /**
   * @param state what the job is started from; never {@link StateRef.Unknown}
   * @param takenFrom the job that is given up with this record; null for none. In mode BlueGreen it
   *     runs on
   * @param startedJob the job, under an id that no other job has; null when none is to be started
   *     yet, because its version was replaced after the state was taken
   * @param left what {@code takenFrom} has left, where {@code state} is something else that the
   *     spec named: a roll-back starts from it; null where it is the same, or not known
   */
  public record Start(
      StateRef state,
      @Nullable String takenFrom,
      @Nullable String startedJob,
      @Nullable StateRef left) {

    /** Refuses what no job may start from. */
    public Start {
      if (!state.isKnown() || (left != null && !left.isKnown())) {
        throw new IllegalArgumentException("No job starts from " + state.display());
      }
    }

    /** From what the job before has left. */
    public Start(StateRef state, @Nullable String takenFrom, @Nullable String startedJob) {
      this(state, takenFrom, startedJob, null);
    }

    /** The same for another job; null for none yet. */
    public Start forJob(@Nullable String job) {
      return new Start(state, takenFrom, job, left);
    }

    /** The job before again, from what it has left. */
    public Start back(String job) {
      return new Start(leftBefore(), takenFrom, job, null);
    }

    /** What the job before has left, as far as that is known. */
    StateRef leftBefore() {
      return left == null ? state : left;
    }
  }

  /**
   * @param id trigger id, 32 hex digits
   * @param jobId of the job
   * @param atMs when it was recorded, before Flink was asked, ms since the epoch
   * @param stops whether the job ends with it
   */
  public record Trigger(String id, String jobId, long atMs, boolean stops) {}

  /**
   * @param failed of the newest version, if its deployment has failed; null otherwise
   * @param tornDown of the version that was torn down last; null for none
   * @param inPlaceFrom of the version whose cluster was scaled in place; null for none
   * @param failedFull the whole hash of the one that has failed; null where it is not known
   */
  public record Hashes(
      @Nullable String failed,
      @Nullable String tornDown,
      @Nullable String inPlaceFrom,
      @Nullable String failedFull) {

    /** The whole hash is not known. */
    public Hashes(
        @Nullable String failed, @Nullable String tornDown, @Nullable String inPlaceFrom) {
      this(failed, tornDown, inPlaceFrom, null);
    }

    /** None. */
    public static final Hashes NONE = new Hashes(null, null, null);
  }

  /**
   * @param count how often the job was brought back since it last ran for long
   * @param atMs when that was the last time, ms since the epoch; 0 for never
   */
  public record Recoveries(int count, long atMs) {

    /** Never. */
    public static final Recoveries NONE = new Recoveries(0, 0);
  }

  /** How the status stands with it. */
  @JsonIgnore
  public ApplicationStanding standing() {
    return new ApplicationStanding(
        phase, deployed, target, leaving, start == null ? null : start.startedJob());
  }

  /**
   * Whether the job of the deployed version was surely not asked to stop by the operation that is
   * begun, so that giving its target up leaves everything as it was. Next to another version it
   * never is.
   */
  @JsonIgnore
  public boolean isDeployedUntouched() {
    if (target == null || target.colour() != null) {
      return true;
    }
    return start == null
        && switch (phase) {
          case SAVEPOINTING -> savepoint == null || !savepoint.stops();
          case CANCELLING, RECOVERING, SUBMITTING_JOB, ROLLING_BACK_JOB -> false;
          default -> true;
        };
  }

  /** Whether no operation is begun and unfinished. */
  @JsonIgnore
  public boolean isSettled() {
    return phase.isSettled() && leaving == null;
  }

  /** The versions on the cluster of that one, itself included: in place there are two. */
  public List<VersionRef> onClusterOf(VersionRef version) {
    return Stream.of(version, deployed, target)
        .filter(Objects::nonNull)
        .filter(it -> it.cluster().equals(version.cluster()) && it.colour() == version.colour())
        .distinct()
        .toList();
  }

  /** The same in another phase. */
  public ApplicationRecord in(ApplicationPhase other) {
    return new ApplicationRecord(
        other,
        deployed,
        target,
        leaving,
        start,
        savepoint,
        settledGeneration,
        hashes,
        recoveries,
        redeployNonce);
  }

  /** The same with other versions. */
  public ApplicationRecord with(@Nullable VersionRef newDeployed, @Nullable VersionRef newTarget) {
    return new ApplicationRecord(
        phase,
        newDeployed,
        newTarget,
        leaving,
        start,
        savepoint,
        settledGeneration,
        hashes,
        recoveries,
        redeployNonce);
  }

  /** The same, where the cluster of that version is still to be deleted; null: of none. */
  public ApplicationRecord leaving(@Nullable VersionRef version) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        version,
        start,
        savepoint,
        settledGeneration,
        hashes,
        recoveries,
        redeployNonce);
  }

  /** The same, where that job is to be started; null: none is. */
  public ApplicationRecord starting(@Nullable Start job) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        job,
        savepoint,
        settledGeneration,
        hashes,
        recoveries,
        redeployNonce);
  }

  /**
   * What the job of a newer version starts from; null where nothing is taken yet. A savepoint that
   * a spec has named is only for versions with the nonce of that spec.
   *
   * @param nonce {@code savepointRedeployNonce} of the newer version; null for none
   */
  public @Nullable Start startFor(@Nullable Long nonce) {
    if (start == null || start.left() == null || Objects.equals(nonce, redeployNonce)) {
      return start == null ? null : start.forJob(null);
    }
    return new Start(start.leftBefore(), start.takenFrom(), null);
  }

  /** The same, where that savepoint is being taken; null: none is. */
  public ApplicationRecord taking(@Nullable Trigger trigger) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        start,
        trigger,
        settledGeneration,
        hashes,
        recoveries,
        redeployNonce);
  }

  /** The same, where everything is done for that generation. */
  public ApplicationRecord settled(long generation) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        start,
        savepoint,
        Math.max(generation, settledGeneration),
        hashes,
        recoveries,
        redeployNonce);
  }

  /** The same with other hashes of versions that are no more. */
  public ApplicationRecord with(Hashes other) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        start,
        savepoint,
        settledGeneration,
        other,
        recoveries,
        redeployNonce);
  }

  /** The same with another count. */
  public ApplicationRecord with(Recoveries other) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        start,
        savepoint,
        settledGeneration,
        hashes,
        other,
        redeployNonce);
  }

  /** The same, where a job is started for that nonce; null: none was. */
  public ApplicationRecord redeploying(@Nullable Long nonce) {
    return new ApplicationRecord(
        phase,
        deployed,
        target,
        leaving,
        start,
        savepoint,
        settledGeneration,
        hashes,
        recoveries,
        nonce);
  }
}
