package dev.sluice.activities.bluegreen;

import dev.sluice.activities.bluegreen.ChildManifest.Start;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes a child that is a session cluster and a job on it. The job of a child that comes is only
 * written while the live one is stopped, with the very state that the new one starts from.
 */
final class SessionChildWrites {

  private final BlueGreenStore store;
  private final ChildPatches patches;

  SessionChildWrites(BlueGreenStore store, ChildPatches patches) {
    this.store = store;
    this.patches = patches;
  }

  /**
   * As {@code BlueGreenActivities.applyChild}.
   *
   * @param there what there is; null for nothing
   * @param start what its job starts from; empty as long as that is not known
   */
  void apply(
      FlinkBlueGreenDeployment parent,
      ChildRequest request,
      FoundChild.@Nullable Session there,
      Optional<Start> start,
      EffectWindow window) {
    Begun transition = request.plannedFor().transition();
    FlinkSessionJob job =
        start.map(it -> SessionManifest.job(parent, request.color(), it)).orElse(null);
    if (there != null) {
      ChildWrites.mustNotBeLeft(store, request, there, job == null ? null : job.getSpec().job());
    }
    FlinkDeployment cluster = there == null ? null : there.cluster();
    FlinkSessionJob before = there == null ? null : there.jobOfIt();
    boolean done = false;
    boolean isWritten =
        cluster != null
            && transition != null
            && FoundChild.madeFor(cluster) == request.generation();
    if (!isWritten) {
      window.check();
      patches.apply(SessionManifest.cluster(parent, request.color()), version(cluster), false);
      done = true;
    }
    if (job != null && (transition == null || mayStart(request, transition))) {
      window.check();
      patches.apply(job, version(before), false);
    } else if (!done) {
      throw job == null
          ? ChildWrites.startIsNotKnown()
          : BlueGreenStatus.outdated(
              "the live job is not stopped with the state that the new one starts from");
    }
  }

  private static String version(@Nullable HasMetadata there) {
    return there == null ? ChildPatches.NOT_THERE : there.getMetadata().getResourceVersion();
  }

  /** Whether the live job does not run, and has not run since the state was taken. */
  private boolean mayStart(ChildRequest request, Begun transition) {
    Color live = request.plannedFor().live();
    if (live == null || live == request.color() || transition.cut() == null) {
      return true;
    }
    Optional<ChildSeen> old = store.see(request.resource(), live).filter(ChildSeen::ours);
    if (old.isEmpty()) {
      return true;
    }
    String left = state(old.get().phase());
    boolean known = transition.source() == Source.KNOWN && !transition.stops() && left != null;
    boolean same =
        (transition.source() != Source.SAVEPOINT && !known)
            || Objects.equals(left, transition.savepoint());
    return old.get().isStopped() && same;
  }

  /** What a job that is at rest has left; null when that is not known. */
  static @Nullable String state(Phase phase) {
    if (phase instanceof Phase.Suspended suspended) {
      return suspended.state();
    }
    return phase instanceof Phase.Finished finished ? finished.state() : null;
  }
}
