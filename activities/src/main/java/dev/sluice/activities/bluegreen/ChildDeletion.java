package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a child, and only where that is safe now: the live one never, unless the parent is being
 * deleted; the one that was live before a switch only while the new one is ready (FLINK-40092,
 * FLINK-40119).
 */
final class ChildDeletion {

  private final BlueGreenStore store;
  private final Deletion deletion;
  private final JobCheck jobs;
  private final Clock clock;

  ChildDeletion(KubernetesClient client, BlueGreenStore store, JobCheck jobs, Clock clock) {
    this.store = store;
    this.jobs = jobs;
    this.deletion = new Deletion(client);
    this.clock = clock;
  }

  /** Looks at everything once more, and deletes it; gone already: nothing happens. Blocks. */
  void delete(AwaitChildRequest request) {
    EffectWindow window = EffectWindow.open(clock);
    String name = request.color().child(request.resource().name());
    boolean unused =
        KubernetesFailure.translate(
            "delete child %s/%s".formatted(request.resource().namespace(), name),
            () ->
                ConflictRetry.then(
                    window,
                    () -> store.read(request.resource()),
                    parent -> {
                      delete(parent, request, window);
                      return true;
                    }));
  }

  /** The very version that is looked at here: what was changed since may be safe no more. */
  private void delete(
      FlinkBlueGreenDeployment parent, AwaitChildRequest request, EffectWindow window) {
    BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
    Optional<FoundChild> found = store.child(request.resource(), request.color());
    if (found.isEmpty()) {
      return;
    }
    FoundChild child = found.get();
    child.all().forEach(it -> BlueGreenStore.mustBeOurs(request.resource(), it));
    if (request.seen() == null) {
      throw BlueGreenStatus.outdated("there is a child, and none was seen");
    }
    HasMetadata first = first(child);
    if (isAnother(child, request.seen()) || first.getMetadata().getDeletionTimestamp() != null) {
      return; // what was seen is gone, or goes
    }
    if (parent.getMetadata().getDeletionTimestamp() == null) {
      // also where only the children tell which one is live
      BlueGreenStatus.check(
          store.standing(request.resource(), parent.getStatus()), request.plannedFor());
      mustBeSafe(request, parent);
    }
    window.check();
    deletion.deleteUnchanged(first);
  }

  /** A job goes before its cluster, which does not go while it has one. */
  private static HasMetadata first(FoundChild child) {
    HasMetadata job = child.jobResource();
    return job == null ? child.all().findFirst().orElseThrow() : job;
  }

  private void mustBeSafe(AwaitChildRequest request, FlinkBlueGreenDeployment parent) {
    boolean wantsRunning = new WantedTemplate(parent).settings().wantsRunning();
    BlueGreenStanding standing = request.plannedFor();
    Color live = standing.live();
    if (request.color() == live) {
      throw BlueGreenStatus.outdated(live + " is live: it is not deleted");
    }
    Begun transition = standing.transition();
    if (live != null
        && transition != null
        && transition.switchedMs() != null
        && transition.to() == live) {
      Optional<ChildSeen> replacement =
          store
              .see(request.resource(), live)
              .map(it -> BlueGreenStatus.noted(it, parent.getStatus()));
      if (replacement
          .filter(it -> it.madeFor() == transition.generation())
          .filter(it -> ChildReading.isUp(it, wantsRunning))
          .isEmpty()) {
        throw BlueGreenStatus.outdated(
            "%s stays, because %s, which is live, is not ready: %s"
                .formatted(
                    request.color(),
                    live,
                    replacement.map(it -> ChildReading.words(it.phase())).orElse("it is gone")));
      }
      replacement
          .flatMap(it -> jobs.problem(request.resource(), it))
          .ifPresent(
              it -> {
                throw BlueGreenStatus.outdated(
                    "%s stays, because %s, which is live, is not up now: %s"
                        .formatted(request.color(), live, it));
              });
    }
  }

  /** Whether it is gone; the cluster is deleted once its job is. Blocks. */
  ProbeResult<Void> look(AwaitChildRequest request, ActGuard guard) {
    FoundChild found =
        store
            .child(request.resource(), request.color())
            .filter(it -> !isAnother(it, request.seen()))
            .orElse(null);
    if (found == null) {
      return ProbeResult.done(null);
    }
    HasMetadata first = first(found);
    if (first.getMetadata().getDeletionTimestamp() == null && guard.mayAct()) {
      try {
        delete(request);
      } catch (ApplicationFailure refused) {
        if (refused.isNonRetryable()) {
          return ProbeResult.failed(refused.getType(), refused.getOriginalMessage());
        }
        throw refused;
      }
    }
    return ProbeResult.notYet(words(first));
  }

  /** When the cluster is gone first, the job alone has the name. */
  private static boolean isAnother(FoundChild child, @Nullable String seen) {
    return seen != null
        && !seen.equals(child.uid())
        && !(child instanceof FoundChild.Session session && session.cluster() == null);
  }

  private static String words(HasMetadata child) {
    OperationStatus operation =
        child instanceof FlinkDeployment deployment
            ? deployment.getStatus().operation()
            : ((FlinkSessionJob) child).getStatus().operation();
    String message = operation == null ? null : operation.message();
    return "%s %s is being deleted%s"
        .formatted(
            child.getKind(), child.getMetadata().getName(), message == null ? "" : ": " + message);
  }
}
