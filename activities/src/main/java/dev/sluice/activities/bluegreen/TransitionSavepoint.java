package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.temporal.activity.ActivityExecutionContext;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A savepoint of the live job for the child that comes. It is taken by a FlinkStateSnapshot with a
 * lane of its own; here it is asked for, waited for, and its path written down before it is used.
 */
final class TransitionSavepoint {

  private final BlueGreenStore store;
  private final BlueGreenStatusWriter writer;
  private final TransitionSnapshots snapshots;
  private final Supplier<DefaultConfiguration> defaults;
  private final ClusterAccess access;

  TransitionSavepoint(
      BlueGreenStore store,
      BlueGreenStatusWriter writer,
      TransitionSnapshots snapshots,
      Supplier<DefaultConfiguration> defaults,
      ClusterAccess access) {
    this.store = store;
    this.writer = writer;
    this.snapshots = snapshots;
    this.defaults = defaults;
    this.access = access;
  }

  /** Asks for it, unless that was done before. Blocks. */
  Asked ask(ActivityExecutionContext activity, SavepointRequest request) {
    FlinkBlueGreenDeployment parent = store.read(request.resource());
    FlinkBlueGreenDeploymentStatus status = parent.getStatus();
    String known = known(status, request.plannedFor());
    if (known != null) {
      return new Asked.Answered(new Taken.At(known));
    }
    BlueGreenStatus.check(status, request.plannedFor());
    Begun transition = request.plannedFor().transition();
    Color live = request.plannedFor().live();
    if (transition == null || live == null || transition.source() != Source.SAVEPOINT) {
      throw BlueGreenStatus.outdated("no transition waits for a savepoint of the live job");
    }
    HasMetadata job = liveChild(request, live).map(FoundChild::jobResource).orElse(null);
    Optional<FlinkDeployment> cluster = store.find(request.resource(), live);
    if (job == null || cluster.isEmpty()) {
      return new Asked.Answered(new Taken.Failed("the live child is gone"));
    }
    FlinkStateSnapshot snapshot =
        TransitionSnapshots.of(parent, transition, job, configuration(cluster.get()));
    snapshots.create(snapshot, request.resource().uid());
    String name = snapshot.getMetadata().getName();
    long deadline = Deadline.here(activity, access.clock(), request.deadlineMs());
    note(request, it -> it.withSnapshot(name), null);
    return new Asked.UnderWay(
        Wait.acting(
                job.getMetadata().getNamespace() + "/" + job.getMetadata().getName(),
                "FlinkStateSnapshot %s/%s".formatted(request.resource().namespace(), name),
                request.deadlineMs(),
                guard -> look(request, live, name, deadline, guard))
            .reportingTo(request.resource()));
  }

  /** What an earlier try of the same request has written; null for nothing. */
  private static @Nullable String known(
      FlinkBlueGreenDeploymentStatus status, BlueGreenStanding planned) {
    BlueGreenStanding now = BlueGreenStatus.standing(status);
    Begun begun = now.transition();
    Begun before = planned.transition();
    return begun != null
            && before != null
            && begun.source() == Source.SAVEPOINT
            && begun.sinceMs() == before.sinceMs()
            && begun.generation() == before.generation()
            && now.live() == planned.live()
        ? begun.savepoint()
        : null;
  }

  private Optional<FoundChild> liveChild(SavepointRequest request, Color live) {
    return store.child(request.resource(), live).filter(it -> request.live().equals(it.uid()));
  }

  private FlinkConfiguration configuration(FlinkDeployment child) {
    FlinkDeploymentSpec spec = child.getSpec();
    return spec.over(
            defaults.get().forResource(child.getMetadata().getNamespace(), spec.flinkVersion()))
        .configuration();
  }

  private interface Note {
    TransitionStatus on(TransitionStatus transition);
  }

  /** Notes something of the transition, as long as it stands as it was planned for. */
  private void note(SavepointRequest request, Note note, @Nullable String triggerId) {
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.resource(),
            parent -> {
              BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
              FlinkBlueGreenDeploymentStatus status = BlueGreenStatus.owned(parent.getStatus());
              return status
                  .withTransition(note.on(Objects.requireNonNull(status.transition())))
                  .withSavepointTriggerId(
                      triggerId == null ? status.savepointTriggerId() : triggerId);
            });
  }

  private ProbeResult<Taken> look(
      SavepointRequest request, Color live, String name, long deadlineMs, ActGuard guard) {
    Optional<FlinkStateSnapshot> found = snapshots.find(request.resource().namespace(), name);
    if (found.isEmpty() || found.get().getMetadata().getDeletionTimestamp() != null) {
      return failed("FlinkStateSnapshot " + name + " was deleted");
    }
    FlinkStateSnapshotStatus status = found.get().getStatus();
    String path = status.path();
    switch (status.stateOrPending()) {
      case COMPLETED -> {
        if (path != null) {
          return completed(request, path, status.triggerId(), guard);
        }
      }
      case FAILED, ABANDONED -> {
        return failed(
            "FlinkStateSnapshot %s is %s: %s"
                .formatted(
                    name,
                    status.stateOrPending(),
                    Objects.requireNonNullElse(status.error(), "it does not say why")));
      }
      default -> {
        // it is under way
      }
    }
    if (liveChild(request, live).isEmpty()) {
      return failed("the live child is gone");
    }
    String seen = words(name, status);
    return access.clock().millis() >= deadlineMs
        ? failed("it took too long: " + seen)
        : ProbeResult.notYet(seen);
  }

  private ProbeResult<Taken> completed(
      SavepointRequest request, String path, @Nullable String triggerId, ActGuard guard) {
    if (!guard.mayAct()) {
      return ProbeResult.notYet("the savepoint is taken");
    }
    Begun transition = Objects.requireNonNull(request.plannedFor().transition());
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.resource(),
            parent -> {
              FlinkBlueGreenDeploymentStatus status = BlueGreenStatus.owned(parent.getStatus());
              if (path.equals(known(status, request.plannedFor()))) {
                return status;
              }
              BlueGreenStatus.check(status, request.plannedFor());
              return status
                  .withTransition(
                      Objects.requireNonNull(status.transition()).withSavepointPath(path))
                  .withSavepointTriggerId(triggerId)
                  .withOperation(
                      status.operation() == null ? null : status.operation().withSavepoint(path))
                  .withBlueGreenState(BlueGreenState.transitioning(transition.to()));
            });
    return ProbeResult.done(new Taken.At(path));
  }

  private static ProbeResult<Taken> failed(String why) {
    return ProbeResult.done(new Taken.Failed(why));
  }

  private static String words(String name, FlinkStateSnapshotStatus status) {
    OperationStatus operation = status.operation();
    String message = operation == null ? null : operation.message();
    return "FlinkStateSnapshot %s is %s%s"
        .formatted(name, status.stateOrPending(), message == null ? "" : ": " + message);
  }
}
