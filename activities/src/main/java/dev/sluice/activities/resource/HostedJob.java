package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job that runs on the cluster of another resource, the host.
 *
 * @param hostKind kind of the host
 * @param hostName its name, in the same namespace
 * @param hostUid its uid; null when there is none of that name
 * @param session the host has, or may have, a session cluster
 * @param awaits what keeps the host from running the job for now, in words; null when nothing does
 * @param goes the host is about to replace its cluster, and waits until the job is suspended
 * @param awaitsSavepoints an operation of the host is about to begin, and waits for savepoints in
 *     progress at most
 * @param endedAs how the submitted job was last seen to have ended by itself; null when it was not
 * @param submitted the job that Flink was last asked to run; null when none ever was
 */
public record HostedJob(
    String hostKind,
    String hostName,
    @Nullable String hostUid,
    boolean session,
    @Nullable String awaits,
    boolean goes,
    boolean awaitsSavepoints,
    @Nullable FlinkJobState endedAs,
    @Nullable Submitted submitted) {

  /**
   * What Flink was asked to run.
   *
   * @param jobId id of the job
   * @param generation of the spec that it is for; null when that is not known
   * @param clusterId what distinguishes the cluster that it was sent to from the next; null when
   *     not known
   * @param jobManager container of its JobManager before that; null when not known
   * @param removed an operation has ended it permanently
   * @param sentAt when a run was last sent; null when none was that may have started it
   */
  public record Submitted(
      String jobId,
      @Nullable Long generation,
      @Nullable String clusterId,
      @Nullable String jobManager,
      boolean removed,
      @Nullable Instant sentAt) {}

  /** What Flink was asked to run, and no operation has ended; null when there is none. */
  public @Nullable Submitted there() {
    return submitted == null || submitted.removed() ? null : submitted;
  }

  /**
   * The host.
   *
   * @param job the resource that the job is of
   */
  public Optional<ResourceRef> host(ResourceRef job) {
    return hostUid == null
        ? Optional.empty()
        : Optional.of(
            new ResourceRef(job.kubernetes(), hostKind, job.namespace(), hostName, hostUid));
  }

  /** {@code FlinkDeployment session}. */
  public String display() {
    return hostKind + " " + hostName;
  }
}
