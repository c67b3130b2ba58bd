package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.SnapshotLabels;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;

/**
 * The job of a snapshot, as the resource that runs it says.
 *
 * @param resource as it was read
 * @param cluster that runs now
 */
record SnapshotJob(String kind, StoredResource resource, RunningCluster cluster) {

  /** Whether there is a job to take a snapshot of. */
  sealed interface Presence {

    /** In words; of a job that is up its state. */
    String why();

    /** Every task of it is up. */
    record Up(JobOverview job) implements Presence {
      @Override
      public String why() {
        return "the job is " + job.display();
      }
    }

    /** Not now. */
    record Waits(String why) implements Presence {}

    /**
     * There is none, unless its resource is changed.
     *
     * @param failed whether the job has failed
     */
    record None(String why, boolean failed) implements Presence {}
  }

  /** {@code FlinkDeployment default/orders}, as the spec of the snapshot names it. */
  static String named(FlinkStateSnapshot snapshot) {
    JobReference reference = snapshot.getSpec().jobReference();
    return reference == null
        ? "no job"
        : "%s %s/%s"
            .formatted(reference.kind(), snapshot.getMetadata().getNamespace(), reference.name());
  }

  /**
   * The job of a snapshot. Blocks for two calls: the resource and its JobManager Deployment. Empty
   * when the resource does not exist, the snapshot names none, or was made for an earlier one of
   * that name.
   */
  static Optional<SnapshotJob> of(
      ResourceStores stores, ResourceRef ref, FlinkStateSnapshot snapshot) {
    String uid = Labels.of(snapshot, SnapshotLabels.REFERENCE_UID);
    return byName(stores, ref, snapshot)
        .filter(it -> uid == null || uid.equals(it.metadata().getUid()));
  }

  /** The same, also where the snapshot was made for an earlier one: its Flink can delete files. */
  static Optional<SnapshotJob> byName(
      ResourceStores stores, ResourceRef ref, FlinkStateSnapshot snapshot) {
    JobReference job = snapshot.getSpec().jobReference();
    String name = job == null ? null : job.name();
    if (job == null || name == null || job.kind() == null) {
      return Optional.empty();
    }
    ResourceStore store = stores.of(instance(ref, job.kind().wire(), name, ""));
    return store
        .find(ref.namespace(), name)
        .map(
            found -> {
              ResourceRef instance =
                  instance(ref, store.type().kind(), name, found.metadata().getUid());
              return new SnapshotJob(instance.kind(), found, store.running(instance, found));
            });
  }

  private static ResourceRef instance(ResourceRef ref, String kind, String name, String uid) {
    return new ResourceRef(ref.kubernetes(), kind, ref.namespace(), name, uid);
  }

  private ObjectMeta metadata() {
    return resource.metadata();
  }

  /** {@code FlinkDeployment default/orders}. */
  String display() {
    return "%s %s/%s".formatted(kind, metadata().getNamespace(), metadata().getName());
  }

  /** Why no job of it will be up; empty when one may be. As the resource says. */
  Optional<String> absence() {
    Optional<Observation.Target> deployed = deployed();
    if (metadata().getDeletionTimestamp() != null) {
      return Optional.of(display() + " is being deleted");
    }
    if (deployed.filter(Observation.Target::session).isPresent()) {
      return Optional.of(display() + " is a session cluster, which has no job of its own");
    }
    return operation().isEmpty() && deployed.filter(Observation.Target::suspended).isPresent()
        ? Optional.of(display() + " is suspended")
        : Optional.empty();
  }

  private Optional<Observation.Target> deployed() {
    return Optional.ofNullable(resource.observed().frozen());
  }

  /** What is to end before a snapshot of its job is taken, as the resource says; else empty. */
  private Optional<String> disturbance() {
    return operation().or(() -> resource.hosted().flatMap(SnapshotJob::host));
  }

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

  /** What is to end first at the cluster of another resource. */
  private static Optional<String> host(HostedJob hosted) {
    if (hosted.hostUid() == null) {
      return Optional.of(hosted.display() + " does not exist");
    }
    return hosted.awaitsSavepoints()
        ? Optional.of("an operation is about to begin at " + hosted.display())
        : Optional.empty();
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
    return deployed().isEmpty()
        ? new Presence.Waits(display() + " was never deployed")
        : job(flink);
  }

  /** As {@link #look}, where the resource says nothing against it. */
  Presence job(FlinkRest flink) {
    JobOverview job = find(flink.jobsOverview(cluster.endpoint())).orElse(null);
    if (job == null) {
      FlinkJobState ended = resource.hosted().map(HostedJob::endedAs).orElse(null);
      return ended == null
          ? new Presence.Waits("the JobManager of %s does not know the job".formatted(display()))
          : ended(ended, "the job of %s is %s".formatted(display(), ended));
    }
    if (job.isUp()) {
      return new Presence.Up(job);
    }
    String why = "job %s of %s is %s".formatted(job.jobId(), display(), job.display());
    return job.state().isGloballyTerminal() ? ended(job.state(), why) : new Presence.Waits(why);
  }

  private static Presence ended(FlinkJobState as, String why) {
    return new Presence.None(why, as == FlinkJobState.FAILED);
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

  /**
   * The end of an attempt whose job was replaced or will not run any more, as the resource says;
   * else empty. It counts as a failure where Recover brings the job back: the savepoint may be the
   * cause.
   *
   * @param jobId of the attempt
   */
  Optional<Outcome.Failed> replaced(String jobId) {
    return absence().or(() -> successor(jobId)).map(why -> ended(jobId, why));
  }

  /**
   * The same, also of one whose job an operation is at work on, or that has ended. Blocks for one
   * call to Flink.
   */
  Optional<Outcome.Failed> stopped(String jobId, FlinkRest flink) {
    Optional<Outcome.Failed> told =
        replaced(jobId).or(() -> disturbance().map(why -> ended(jobId, why)));
    if (told.isPresent()) {
      return told;
    }
    Presence job = job(flink);
    if (job instanceof Presence.None none) {
      return Optional.of(new Outcome.Failed(none.why(), none.failed()));
    }
    return job instanceof Presence.Up
        ? Optional.empty()
        : resource.hosted().map(HostedJob::awaits).map(why -> new Outcome.Failed(why, false));
  }

  private Outcome.Failed ended(String jobId, String why) {
    OperationStatus operation = resource.status().operation();
    boolean recovered =
        operation != null
            && operation.type() == OperationType.RECOVER
            && (operation.isOpen() || successor(jobId).isPresent());
    return new Outcome.Failed(why, recovered);
  }

  private Optional<String> successor(String jobId) {
    String now = cluster.jobId();
    return now == null || now.equals(jobId)
        ? Optional.empty()
        : Optional.of("the job of %s was replaced by job %s".formatted(display(), now));
  }
}
