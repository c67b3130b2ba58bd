package dev.sluice.activities.bluegreen;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.Annotations;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Has the live job of an exactly-once cut-over run again that goes back. */
final class LiveResume {

  private final BlueGreenStore store;
  private final ChildPatches patches;
  private final ClusterAccess access;

  LiveResume(KubernetesClient client, BlueGreenStore store, ClusterAccess access) {
    this.store = store;
    this.patches = new ChildPatches(client);
    this.access = access;
  }

  /** As {@code BlueGreenActivities.resumeLive}. */
  void resume(ChildRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    Begun planned = request.plannedFor().transition();
    if (planned == null
        || !planned.stops()
        || planned.switchedMs() != null
        || request.color() != request.plannedFor().live()) {
      throw BlueGreenStatus.outdated("no live job was stopped for a new one");
    }
    change(
        request.resource(),
        request.color(),
        window,
        parent -> {
          BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
          mustNotRun(request.resource(), planned);
          FoundChild child = store.same(request.resource(), request.color(), request.seen());
          JobSpec job = child.job();
          HasMetadata resource = child.jobResource();
          if (job == null || resource == null || !job.isSuspended()) {
            return;
          }
          window.check();
          patches.state(resource, DesiredJobState.RUNNING, modeBefore(parent));
        });
  }

  /** Its job is gone; so is its cluster where a job may have been started on it. */
  private void mustNotRun(ResourceRef parent, Begun transition) {
    boolean mayHaveOne = transition.source() != Source.SAVEPOINT || transition.savepoint() != null;
    Optional<FoundChild> coming =
        store.child(parent, transition.to()).filter(it -> it.isOwned(parent.uid()));
    if (coming.filter(it -> mayHaveOne || it.jobResource() != null).isPresent()) {
      throw BlueGreenStatus.outdated(
          "%s is there: its job might run beside the live one".formatted(transition.to()));
    }
    ClusterRef cluster = new ClusterRef(parent.namespace(), transition.to().child(parent.name()));
    if (mayHaveOne && !access.live().pods(cluster).isEmpty()) {
      throw BlueGreenStatus.outdated(
          "pods of %s are left: its job might run beside the live one".formatted(transition.to()));
    }
  }

  private static @Nullable UpgradeMode modeBefore(FlinkBlueGreenDeployment parent) {
    FrozenBlueGreen reached = BlueGreenStatus.reached(parent.getStatus());
    JobSpec job = reached == null ? null : reached.spec().template().spec().job();
    // one that was stopped with a savepoint must go on from it, and stateless would forget it
    return job == null || job.upgradeMode() == UpgradeMode.STATELESS ? null : job.upgradeMode();
  }

  /**
   * Once a cut-over that went back has ended: a stop that was written since the live job was seen
   * is taken back, and one that comes later is refused, because the child is another version than
   * it has read.
   */
  void letGo(EndRequest request) {
    Begun ended = request.plannedFor().transition();
    Color live = request.plannedFor().live();
    if (ended == null
        || live == null
        || live == ended.to()
        || !ended.stops()
        || ended.switchedMs() != null) {
      return;
    }
    ResourceRef ref = request.resource();
    EffectWindow window = EffectWindow.open(access.clock());
    change(
        ref,
        live,
        window,
        parent ->
            store
                .child(ref, live)
                .filter(it -> it.isOwned(ref.uid()) && !it.isDeleting())
                .ifPresent(
                    it -> {
                      Phase phase = store.seen(ref, live, it).phase();
                      window.check();
                      letGo(parent, ended, it, phase);
                    }));
  }

  private void letGo(FlinkBlueGreenDeployment parent, Begun ended, FoundChild live, Phase phase) {
    JobSpec job = live.job();
    HasMetadata resource = live.jobResource();
    String cutOver = BlueGreenStatus.text(ended.sinceMs());
    if (job == null
        || resource == null
        || cutOver.equals(Annotations.of(resource, FlinkBlueGreenDeployment.WENT_BACK))) {
      return; // what was done to it since is somebody's will
    }
    // one that ended by itself stays as it is: it would begin anew
    boolean byItself =
        ended.source() != Source.EMPTY
            && phase instanceof Phase.Suspended suspended
            && suspended.state() == null;
    if (job.isSuspended() && !byItself) {
      patches.letGo(resource, cutOver, modeBefore(parent));
    } else {
      patches.note(resource, cutOver);
    }
  }

  private void change(
      ResourceRef ref,
      Color color,
      EffectWindow window,
      Consumer<FlinkBlueGreenDeployment> change) {
    boolean unused =
        KubernetesFailure.translate(
            "change job.state of %s/%s".formatted(ref.namespace(), color.child(ref.name())),
            () ->
                ConflictRetry.then(
                    window,
                    () -> store.read(ref),
                    parent -> {
                      change.accept(parent);
                      return true;
                    }));
  }
}
