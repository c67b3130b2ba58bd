package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resource that runs the job of a snapshot.
 *
 * @param kind of it
 * @param resource as it was read
 * @param cluster that runs now
 */
record JobOwner(String kind, StoredResource resource, RunningCluster cluster) {

  /** Whether there is a job to take a snapshot of. */
  sealed interface Presence {

    /** Every task of it is up. */
    record Up(JobOverview job) implements Presence {}

    /** Not now. */
    record Waits(String reason) implements Presence {}

    /**
     * There is none, unless its owner is changed.
     *
     * @param failed whether the job has failed
     */
    record None(String reason, boolean failed) implements Presence {}

    /** In words; of a job that is up its state. */
    default String why() {
      if (this instanceof Up up) {
        return "the job is " + up.job().display();
      }
      return this instanceof Waits waits ? waits.reason() : ((None) this).reason();
    }
  }

  /** {@code FlinkDeployment default/orders}. */
  String display() {
    return "%s %s/%s"
        .formatted(kind, resource.metadata().getNamespace(), resource.metadata().getName());
  }

  private boolean isDeleting() {
    return resource.metadata().getDeletionTimestamp() != null;
  }

  /** The operation at work on it, in words; empty when there is none. */
  private Optional<String> operation() {
    OperationStatus operation = resource.status().operation();
    boolean open = operation != null && operation.isOpen();
    return open || resource.observed().isBegun()
        ? Optional.of(
            "%s is at work on %s"
                .formatted(
                    operation == null || operation.type() == null
                        ? "an operation"
                        : operation.type().wire(),
                    display()))
        : Optional.empty();
  }

  /** Whether Recover brings that job back, or has put another one in its place. */
  boolean isRecovered(String jobId) {
    OperationStatus operation = resource.status().operation();
    return operation != null
        && operation.type() == OperationType.RECOVER
        && (operation.isOpen() || successor(jobId).isPresent());
  }

  /** The version that runs; null when that is not known. */
  @Nullable FlinkVersion version() {
    return deployed().map(Observation.Target::flinkVersion).orElse(null);
  }

  private Optional<Observation.Target> deployed() {
    return Optional.ofNullable(resource.observed().frozen());
  }

  /** Why no job of it will be up; empty when one may be. As the resource says. */
  Optional<String> absence() {
    Optional<Observation.Target> deployed = deployed();
    if (isDeleting()) {
      return Optional.of(display() + " is being deleted");
    }
    if (deployed.filter(Observation.Target::session).isPresent()) {
      return Optional.of(display() + " is a session cluster, which has no job of its own");
    }
    return operation().isEmpty() && deployed.filter(Observation.Target::suspended).isPresent()
        ? Optional.of(display() + " is suspended")
        : Optional.empty();
  }

  /** Why that job has, or will have, no snapshot any more, as the resource says; else empty. */
  Optional<String> replaced(String jobId) {
    return absence()
        .or(
            () ->
                successor(jobId)
                    .map(it -> "the job of %s was replaced by job %s".formatted(display(), it)));
  }

  /** The job that runs in the place of that one; empty when none does. */
  private Optional<String> successor(String jobId) {
    return Optional.ofNullable(cluster.jobId()).filter(it -> !it.equals(jobId));
  }

  /**
   * Whether its job is up, and no operation is at work on it. Blocks for one call. Fails when the
   * JobManager does not answer.
   */
  Presence look(FlinkRest flink) {
    Optional<String> absence = absence();
    if (absence.isPresent()) {
      return new Presence.None(absence.get(), false);
    }
    Optional<String> disturbance = disturbance();
    if (disturbance.isPresent()) {
      return new Presence.Waits(disturbance.get());
    }
    // its spec may be invalid, which is no fault of the snapshot
    return deployed().isEmpty()
        ? new Presence.Waits(display() + " was never deployed")
        : job(flink);
  }

  /** What is to end before a snapshot of its job is taken, as the resource says; else empty. */
  Optional<String> disturbance() {
    return operation().or(() -> resource.hosted().flatMap(JobOwner::host));
  }

  /** What is to end first at the cluster of another resource. */
  private static Optional<String> host(HostedJob hosted) {
    if (hosted.hostUid() == null) {
      return Optional.of(hosted.display() + " does not exist");
    }
    return hosted.awaitsSavepoints()
        ? Optional.of("an operation is about to begin at " + hosted.display())
        : Optional.empty();
  }

  /** As {@link #look}, where the resource says nothing against it. */
  Presence job(FlinkRest flink) {
    Optional<JobOverview> found = find(flink.jobsOverview(cluster.endpoint()));
    if (found.isEmpty()) {
      FlinkJobState ended = resource.hosted().map(HostedJob::endedAs).orElse(null);
      return ended == null
          ? new Presence.Waits(
              "the JobManager of %s does not know the job (yet)".formatted(display()))
          : new Presence.None(
              "the job of %s is %s".formatted(display(), ended), ended == FlinkJobState.FAILED);
    }
    JobOverview job = found.get();
    if (job.isUp()) {
      return new Presence.Up(job);
    }
    String why = "job %s of %s is %s".formatted(job.jobId(), display(), job.display());
    return job.state().isGloballyTerminal()
        ? new Presence.None(why, job.state() == FlinkJobState.FAILED)
        : new Presence.Waits(why);
  }

  /** What happens to the cluster of another resource; empty when nothing does. */
  Optional<String> hostAwaits() {
    return resource.hosted().map(HostedJob::awaits);
  }

  /** Another job of a session cluster never takes the place of one whose id is not known. */
  private Optional<JobOverview> find(JobsOverview known) {
    String jobId = cluster.jobId();
    if (jobId != null) {
      return known.job(jobId);
    }
    return resource.hosted().isEmpty() && known.alive().size() == 1
        ? Optional.of(known.alive().get(0))
        : Optional.empty();
  }
}
