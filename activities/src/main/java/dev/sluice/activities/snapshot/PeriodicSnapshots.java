package dev.sluice.activities.snapshot;

import dev.sluice.activities.event.ResourceEvents;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotResources;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshot;
import dev.sluice.api.condition.EventReasons;
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
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes FlinkStateSnapshots whose time has come, or asks for what is taken without one. */
public final class PeriodicSnapshots implements PeriodicSnapshotActivities {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);

  private final SnapshotStore snapshots;
  private final ResourceStores stores;
  private final FlinkRest flink;
  private final Consumer<String> endSchedule;
  private final ResourceEvents events;
  private final PeriodicInStatus statuses;

  /**
   * @param stores of the kinds that run jobs
   * @param endSchedule deletes a schedule of Temporal, by its id
   */
  public PeriodicSnapshots(
      KubernetesClient client,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule) {
    this(
        new SnapshotStore(client, stores),
        stores,
        flink,
        endSchedule,
        new ResourceEvents(client, Clock.systemUTC()));
  }

  PeriodicSnapshots(
      SnapshotStore snapshots,
      ResourceStores stores,
      FlinkRest flink,
      Consumer<String> endSchedule,
      ResourceEvents events) {
    this.snapshots = snapshots;
    this.stores = stores;
    this.flink = flink;
    this.endSchedule = endSchedule;
    this.events = events;
    this.statuses = new PeriodicInStatus(snapshots, Clock.systemUTC());
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
      return make(request, owner, store.type());
    } catch (ApplicationFailure failed) {
      tell(store.type(), request, failed);
      throw failed;
    }
  }

  private String make(CreateRequest request, JobOwner owner, ResourceType type) {
    FlinkStateSnapshot due = due(request, owner.resource());
    String name = due.getMetadata().getName();
    // whether they get one may have changed since the one before, or an earlier attempt
    Optional<List<FlinkStateSnapshot>> served = snapshots.of(request.resource());
    List<FlinkStateSnapshot> periodic = periodic(request, served.orElse(List.of()));
    boolean resources =
        served.isPresent() && SnapshotResources.isEnabled(owner.resource().operatorConfiguration());
    JobResourceStatus status = statuses.read(request.resource(), request.type());
    StatusSnapshot begun = status.snapshotsOrNone().of(request.type());
    if (periodic.stream().anyMatch(it -> it.getMetadata().getName().equals(name))) {
      return made(name); // by an earlier attempt
    }
    if (PeriodicInStatus.isMade(begun, due)) {
      return asked(request, name); // as above
    }
    Optional<NotNow> notNow =
        notNow(owner, request.type())
            .or(() -> unfinished(periodic))
            .or(() -> unfinished(request, begun))
            .or(() -> takenOver(request, status));
    if (notNow.isPresent()) {
      return skipped(type, request, notNow.get());
    }
    if (resources) {
      snapshots.create(due);
      return made(name);
    }
    return statuses
        .make(request.resource(), request.type(), due)
        .map(it -> skipped(type, request, stillTaken(request.type().word() + " " + it)))
        .orElseGet(() -> asked(request, name));
  }

  /**
   * Why it is skipped.
   *
   * @param advice what to do if that goes on
   */
  private record NotNow(String why, String advice) {}

  private String skipped(ResourceType type, CreateRequest request, NotNow reason) {
    SkippedTimes times = SkippedTimes.after(request.before());
    if (times.isTold()) {
      events.warn(
          type,
          request.resource(),
          EventReasons.SNAPSHOT_SKIPPED,
          "The periodic %s was skipped %d times in a row, most recently because %s. The schedule is unchanged. %s"
              .formatted(request.type().word(), times.count(), reason.why(), reason.advice()),
          Objects.requireNonNullElse(request.schedule(), "sluice"),
          String.valueOf(request.dueMs()));
    }
    return times.result(reason.why());
  }

  /** The same with each attempt is one event. */
  private void tell(ResourceType type, CreateRequest request, ApplicationFailure failed) {
    events.warn(
        type,
        request.resource(),
        EventReasons.SNAPSHOT_ERROR,
        "The periodic %s of %s cannot be made: %s"
            .formatted(
                request.type().word(),
                Instant.ofEpochMilli(request.dueMs()),
                failed.getOriginalMessage()),
        Objects.requireNonNullElse(request.schedule(), "sluice"),
        String.valueOf(request.dueMs()));
  }

  private static String made(String name) {
    return "made FlinkStateSnapshot " + name;
  }

  private static String asked(CreateRequest request, String name) {
    return "asked for %s %s".formatted(request.type().word(), name);
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

  private static List<FlinkStateSnapshot> periodic(
      CreateRequest request, List<FlinkStateSnapshot> all) {
    return all.stream()
        .filter(it -> RequestedSnapshot.isMade(it, TriggerType.PERIODIC, request.resource().uid()))
        .filter(
            it -> (it.getSpec().savepoint() != null) == (request.type() == SnapshotType.SAVEPOINT))
        .toList();
  }

  private static Optional<NotNow> unfinished(List<FlinkStateSnapshot> periodic) {
    return periodic.stream()
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .filter(it -> !it.getStatus().stateOrPending().isFinal())
        .findFirst()
        .map(it -> stillTaken("FlinkStateSnapshot " + it.getMetadata().getName()));
  }

  private static Optional<NotNow> unfinished(
      CreateRequest request, @Nullable StatusSnapshot begun) {
    return Optional.ofNullable(begun)
        .filter(it -> TriggerType.PERIODIC.name().equals(it.triggerType()) && !it.hasEnded())
        .map(it -> stillTaken(request.type().word() + " " + it.name()));
  }

  /** Its run is about to ask for it; until then none of ours is triggered. */
  private static Optional<NotNow> takenOver(CreateRequest request, JobResourceStatus status) {
    return status
        .snapshotsOrNone()
        .takenOver(status.jobStatus(), request.type())
        .map(
            it ->
                stillTaken("the %s that Apache's operator began".formatted(request.type().word())));
  }

  private static NotNow stillTaken(String what) {
    return new NotNow(
        what + " is still being taken",
        "See its status, or make the interval longer than one takes.");
  }

  private Optional<NotNow> notNow(JobOwner owner, SnapshotType type) {
    if (owner.isDeleting()) {
      return notNow(owner.display() + " is being deleted", "None is taken any more.");
    }
    Optional<String> operation = owner.operation();
    if (operation.isPresent()) {
      return notNow(
          operation.get() + " is at work on " + owner.display(),
          "See in status.operation what it waits for.");
    }
    Optional<Observation.Target> deployed = owner.deployed();
    if (deployed.isEmpty()) {
      return notNow(owner.display() + " was never deployed", "See its conditions.");
    }
    Optional<String> absence = owner.site().absence();
    if (absence.isPresent()) {
      return notNow(absence.get(), "Create it, or remove the interval.");
    }
    if (deployed.get().suspended()) {
      return notNow(owner.display() + " is suspended", "Resume it, or remove the interval.");
    }
    FlinkVersion version = owner.version();
    if (type == SnapshotType.CHECKPOINT && version != null && !version.takesCheckpoints()) {
      return notNow("Flink takes checkpoints by request since 1.17", "Take savepoints.");
    }
    return notUp(owner)
        .map(why -> new NotNow(why, "See the conditions of " + owner.display() + "."));
  }

  private static Optional<NotNow> notNow(String why, String advice) {
    return Optional.of(new NotNow(why, advice));
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
    return owner
        .site()
        .job(jobs, owner.cluster().jobId())
        .map(job -> job.isUp() ? "" : "the job is " + job.display())
        .or(() -> Optional.of("the JobManager does not know the job"))
        .filter(why -> !why.isEmpty());
  }
}
