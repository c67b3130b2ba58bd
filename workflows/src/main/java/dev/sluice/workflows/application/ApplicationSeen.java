package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.application.DeploymentMode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an application's resource says, and what was observed of its versions: no spec, only what
 * follows from it.
 *
 * @param generation of the newest spec
 * @param deleting whether it is being deleted
 * @param problem why the newest spec is not valid, with the fields' paths; null when it is
 * @param wanted what the newest spec asks for; where that is not valid, the target's, or that of
 *     the deployed version
 * @param record what the status says
 * @param deployed the deployed version; null when there is none
 * @param target the version that is being deployed, or runs next to it; null when there is none
 * @param leftovers other clusters of the application that are still there, as their Deployments
 *     say; also the one that is leaving
 * @param limits how long the steps may take
 * @param lyft what Lyft's operator has left in the status; null once it is adopted, and where there
 *     is nothing
 */
public record ApplicationSeen(
    long generation,
    boolean deleting,
    @Nullable String problem,
    Wanted wanted,
    ApplicationRecord record,
    @Nullable VersionSeen deployed,
    @Nullable VersionSeen target,
    List<VersionRef> leftovers,
    VersionLimits limits,
    @Nullable LyftLeft lyft) {

  /** Copies the list. */
  public ApplicationSeen {
    leftovers = leftovers == null ? List.of() : List.copyOf(leftovers);
  }

  /** What was seen of that version; null where it is neither of the two. */
  @Nullable VersionSeen of(VersionRef version) {
    return Stream.of(deployed, target)
        .flatMap(Stream::ofNullable)
        .filter(it -> it.version().equals(version))
        .findFirst()
        .orElse(null);
  }

  /**
   * The clusters that Lyft's operator has made, where neither that operator nor this one has
   * recorded a version: which of them has the job of the application is not known.
   */
  List<VersionRef> lyftsUnnamed() {
    return lyft != null || record.deployed() != null || record.target() != null
        ? List.of()
        : leftovers.stream().filter(VersionRef::adopted).toList();
  }

  /**
   * What a spec asks for.
   *
   * @param fullHash of it
   * @param mode Dual or BlueGreen
   * @param deleteMode what becomes of the job on deletion
   * @param parallelismOnly how it differs from the spec of the deployed version, if only in the
   *     parallelism; null where it differs otherwise, or not at all
   * @param inPlace whether {@code scaleMode} is InPlace
   * @param state what the new job may start from
   * @param requests what else it asks for
   */
  public record Wanted(
      String fullHash,
      DeploymentMode mode,
      DeleteMode deleteMode,
      @Nullable ParallelismChange parallelismOnly,
      boolean inPlace,
      StatePolicy state,
      Requests requests) {}

  /** From one parallelism to another. */
  public record ParallelismChange(int from, int to) {

    /** Whether it is higher. */
    @JsonIgnore
    public boolean isUp() {
      return to > from;
    }
  }

  /**
   * @param savepointDisabled cancel the old job, and start without state
   * @param fallbackWithoutState start without state where none can be had
   * @param maxCheckpointAgeMs how old a checkpoint may be that stands in for a savepoint, in ms
   * @param named the savepoint that the spec names; null for none
   * @param redeployNonce {@code savepointRedeployNonce}, where it asks for a job that starts from
   *     {@code named}: it is neither that of the deployed version nor used already; else null
   */
  public record StatePolicy(
      boolean savepointDisabled,
      boolean fallbackWithoutState,
      long maxCheckpointAgeMs,
      @Nullable String named,
      @Nullable Long redeployNonce) {

    /** Whether the new job starts from what is named. */
    @JsonIgnore
    public boolean redeploys() {
      return redeployNonce != null;
    }
  }

  /**
   * @param forceRollback give up what is being deployed, and begin nothing
   * @param tearDownHash hash of the version to tear down; null for none, and where the target was
   *     deployed with the same one already
   * @param promotion when the target, running next to the deployed version, has proved itself;
   *     null: it waits for {@code tearDownHash}
   */
  public record Requests(
      boolean forceRollback, @Nullable String tearDownHash, @Nullable PromotionGates promotion) {}

  /**
   * @param quietMs for so long no task may have been started again, in ms
   * @param checkpoints so many the job must have completed
   */
  public record PromotionGates(long quietMs, int checkpoints) {}

  /**
   * @param phase in which Lyft's operator has left it, in its spelling
   * @param deployHash the hash of what it has deployed; of two that ran, of the one that is left
   * @param jobId of its job; null when that is not known
   * @param running whether both Deployments of that hash are there
   */
  public record LyftLeft(
      String phase, String deployHash, @Nullable String jobId, boolean running) {}
}
