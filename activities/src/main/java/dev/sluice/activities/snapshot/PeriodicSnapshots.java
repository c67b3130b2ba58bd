package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the snapshot whose time has come, as a FlinkStateSnapshot or in the status. */
public final class PeriodicSnapshots implements PeriodicSnapshotActivities {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

  private final SnapshotStore snapshots;
  private final ResourceStores stores;
  private final FlinkRest flink;
  private final Consumer<String> endSchedule;
  private final ResourceEvents events;
  private final Clock clock = Clock.systemUTC();

  /**
   * @param stores of the kinds that run jobs
   * @param endSchedule deletes a schedule of Temporal, by its id
   */
  public PeriodicSnapshots(
      KubernetesClient client,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule) {
    this(client, stores, flink, endSchedule, client);
  }

  /** Writes events with a client of their own. */
  PeriodicSnapshots(
      KubernetesClient client,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule,
      KubernetesClient eventClient) {
    this.snapshots = new SnapshotStore(client, stores);
    this.stores = stores;
    this.flink = flink;
    this.endSchedule = endSchedule;
    this.events = new ResourceEvents(eventClient, clock);
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
    try {
      return make(request, owner);
    } catch (ApplicationFailure failed) {
      // the same with each attempt is one event
      events.warn(
          store.type(),
          ref,
          EventReasons.SNAPSHOT_ERROR,
          "The periodic %s of %s cannot be made: %s"
              .formatted(
                  request.type().word(),
                  Instant.ofEpochMilli(request.dueMs()),
                  failed.getOriginalMessage()),
          Objects.requireNonNullElse(request.schedule(), "sluice"),
          String.valueOf(request.dueMs()));
      throw failed;
    }
  }

  private String make(CreateRequest request, JobOwner owner) {
    FlinkStateSnapshot due = due(request, owner.resource());
    String name = due.getMetadata().getName();
    Optional<String> notNow =
        notNow(owner, request.type()).or(() -> unfinished(request, due.getMetadata().getName()));
    if (notNow.isPresent()) {
      return "skipped: " + notNow.get();
    }
    boolean made =
        SnapshotResources.isEnabled(owner.resource().operatorConfiguration())
            && snapshots.create(due).isPresent();
    return made || requestInStatus(request, due)
        ? "made " + name
        : "skipped: another one is still being taken";
  }

  private boolean requestInStatus(CreateRequest request, FlinkStateSnapshot due) {
    EffectWindow window = EffectWindow.open(clock);
    ResourceRef ref = request.resource();
    return KubernetesFailure.told(
        "write the status of " + ref.display(),
        () ->
            ConflictRetry.then(
                window,
                () -> stores.of(ref).whole(ref),
                read -> snapshots.request(read, due, null)));
  }

  private String end(CreateRequest request, String why) {
    if (request.schedule() != null) {
      endSchedule.accept(request.schedule());
    }
    return "ended: " + why;
  }

  /** As the controller decides; one that cannot be read is no reason to end the schedule. */
  private static boolean isWanted(StoredResource resource, SnapshotType type) {
    try {
      return SnapshotInterval.of(resource.operatorConfiguration(), type).isPresent();
    } catch (IllegalArgumentException unreadable) {
      return true;
    }
  }

  private static FlinkStateSnapshot due(CreateRequest request, StoredResource resource) {
    return RequestedSnapshot.of(
        request.type(),
        TriggerType.PERIODIC,
        JobKind.of(request.resource().kind()),
        resource.metadata(),
        TIME.format(Instant.ofEpochMilli(request.dueMs())),
        resource.operatorConfiguration());
  }

  /** Another one of the type; the one that is due was made by an earlier attempt. */
  private Optional<String> unfinished(CreateRequest request, String due) {
    boolean savepoint = request.type() == SnapshotType.SAVEPOINT;
    return snapshots.of(request.resource()).stream()
        .filter(it -> RequestedSnapshot.isMade(it, TriggerType.PERIODIC, request.resource().uid()))
        .filter(it -> (it.getSpec().savepoint() != null) == savepoint)
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> !it.getStatus().stateOrPending().isFinal())
        .map(it -> it.getMetadata().getName())
        .filter(it -> !it.equals(due))
        .findFirst()
        .map(it -> it + " is still being taken");
  }

  private Optional<String> notNow(JobOwner owner, SnapshotType type) {
    FlinkVersion version = owner.version();
    if (type == SnapshotType.CHECKPOINT && version != null && !version.takesCheckpoints()) {
      return Optional.of("Flink takes checkpoints by request since 1.17");
    }
    try {
      JobOwner.Presence job = owner.look(flink);
      return job instanceof JobOwner.Presence.Up ? Optional.empty() : Optional.of(job.why());
    } catch (FlinkRestException silent) {
      return Optional.of("the JobManager does not answer");
    }
  }
}
