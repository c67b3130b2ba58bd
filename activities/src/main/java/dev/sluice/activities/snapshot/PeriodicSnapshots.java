package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Makes FlinkStateSnapshots whose time has come. */
public final class PeriodicSnapshots implements PeriodicSnapshotActivities {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

  private final SnapshotStore snapshots;
  private final ResourceStores stores;
  private final FlinkRest flink;
  private final Consumer<String> endSchedule;

  /**
   * @param stores of the kinds that run jobs
   * @param endSchedule deletes a schedule of Temporal, by its id
   */
  public PeriodicSnapshots(
      KubernetesClient client,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule) {
    this(new SnapshotStore(client), stores, flink, endSchedule);
  }

  PeriodicSnapshots(
      SnapshotStore snapshots,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule) {
    this.snapshots = snapshots;
    this.stores = stores;
    this.flink = flink;
    this.endSchedule = endSchedule;
  }

  @Override
  public String create(CreateRequest request) {
    ResourceRef ref = request.resource();
    ResourceStore store = stores.of(ref);
    JobOwner owner;
    try {
      owner = new JobOwner(ref.kind(), store.read(ref), store.running(ref));
    } catch (ApplicationFailure failure) {
      if (FailureType.RESOURCE_GONE.equals(failure.getType())) {
        return end(request, failure.getOriginalMessage());
      }
      throw failure;
    }
    if (!isWanted(owner.resource(), request.type())) {
      return end(
          request, "%s asks for no periodic %ss".formatted(owner.display(), request.type().word()));
    }
    FlinkStateSnapshot due = due(request, owner.resource());
    String name = due.getMetadata().getName();
    List<FlinkStateSnapshot> periodic = periodic(request);
    if (periodic.stream().anyMatch(it -> it.getMetadata().getName().equals(name))) {
      return made(name); // by an earlier attempt
    }
    Optional<String> notNow = notNow(owner, request.type()).or(() -> unfinished(periodic));
    if (notNow.isPresent()) {
      return "skipped: " + notNow.get();
    }
    snapshots.create(due);
    return made(name);
  }

  private static String made(String name) {
    return "made FlinkStateSnapshot " + name;
  }

  private String end(CreateRequest request, String why) {
    if (request.schedule() != null) {
      endSchedule.accept(request.schedule());
    }
    return "ended: " + why;
  }

  /** One that cannot be read is no reason to end the schedule. */
  private static boolean isWanted(StoredResource resource, SnapshotType type) {
    return Stream.concat(Stream.of(resource.newest()), resource.frozen().stream())
        .map(TargetSpec::configuration)
        .anyMatch(it -> asks(it, type));
  }

  private static boolean asks(FlinkConfiguration configuration, SnapshotType type) {
    try {
      return SnapshotInterval.of(configuration, type).isPresent();
    } catch (IllegalArgumentException unreadable) {
      return true;
    }
  }

  private static FlinkStateSnapshot due(CreateRequest request, StoredResource resource) {
    TargetSpec newest = resource.newest();
    TargetSpec valid = resource.problem() == null ? newest : resource.frozen().orElse(newest);
    return RequestedSnapshot.of(
        request.type(),
        TriggerType.PERIODIC,
        kind(request.resource()),
        resource.metadata(),
        TIME.format(Instant.ofEpochMilli(request.dueMs())),
        valid.configuration());
  }

  private static JobKind kind(ResourceRef ref) {
    return Arrays.stream(JobKind.values())
        .filter(it -> it.wire().equals(ref.kind()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(ref.kind() + " runs no job"));
  }

  private List<FlinkStateSnapshot> periodic(CreateRequest request) {
    return snapshots.of(request.resource()).stream()
        .filter(it -> RequestedSnapshot.isMade(it, TriggerType.PERIODIC))
        .filter(
            it -> (it.getSpec().savepoint() != null) == (request.type() == SnapshotType.SAVEPOINT))
        .toList();
  }

  private static Optional<String> unfinished(List<FlinkStateSnapshot> periodic) {
    return periodic.stream()
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> !it.getStatus().stateOrPending().isFinal())
        .findFirst()
        .map(
            it ->
                "FlinkStateSnapshot %s is still being taken".formatted(it.getMetadata().getName()));
  }

  private Optional<String> notNow(JobOwner owner, SnapshotType type) {
    if (owner.isDeleting()) {
      return Optional.of(owner.display() + " is being deleted");
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return Optional.of(operation.get() + " is at work on " + owner.display());
    }
    Optional<Observation.Target> deployed = owner.deployed();
    if (deployed.isEmpty()) {
      return Optional.of(owner.display() + " was never deployed");
    }
    if (deployed.get().suspended()) {
      return Optional.of(owner.display() + " is suspended");
    }
    FlinkVersion version = owner.version();
    if (type == SnapshotType.CHECKPOINT && version != null && !version.takesCheckpoints()) {
      return Optional.of("Flink takes checkpoints by request since 1.17");
    }
    return notUp(owner);
  }

  private Optional<String> notUp(JobOwner owner) {
    JobsOverview jobs;
    try {
      jobs = flink.jobsOverview(owner.cluster().endpoint()).join();
    } catch (CompletionException failed) {
      if (FlinkRestException.in(failed).isEmpty()) {
        throw failed;
      }
      return Optional.of("the JobManager does not answer");
    }
    String jobId = owner.cluster().jobId();
    List<JobOverview> known =
        jobId == null ? jobs.alive() : jobs.job(jobId).map(List::of).orElse(List.of());
    if (known.size() != 1) {
      return Optional.of("the JobManager does not know the job");
    }
    JobOverview job = known.get(0);
    return job.isUp() ? Optional.empty() : Optional.of("the job is " + job.display());
  }
}
