package dev.sluice.activities.bluegreen;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stops the live job of an exactly-once cut-over by its own resource. That it is told to stop is
 * written down before it is, and what it left before that is used.
 */
final class LiveStop {

  /** No job runs from the moment that is waited for. */
  private static final Duration OFTEN = Duration.ofMillis(100);

  private final BlueGreenStore store;
  private final BlueGreenStatusWriter writer;
  private final ChildPatches patches;
  private final SlotCheck slots;
  private final ClusterAccess access;

  LiveStop(
      KubernetesClient client,
      BlueGreenStore store,
      BlueGreenStatusWriter writer,
      SlotCheck slots,
      ClusterAccess access) {
    this.store = store;
    this.writer = writer;
    this.patches = new ChildPatches(client);
    this.slots = slots;
    this.access = access;
  }

  /** Has it stop, unless that was done before. Blocks. */
  Asked stop(ActivityExecutionContext activity, SavepointRequest request) {
    EffectWindow window = EffectWindow.open(access.clock());
    Begun now = standing(request, store.read(request.resource()));
    if (now.savepoint() != null) {
      return new Asked.Answered(new Taken.At(now.savepoint()));
    }
    Color live = Objects.requireNonNull(request.plannedFor().live());
    if (!now.stops() || store.see(request.resource(), live).filter(ChildSeen::mayRun).isPresent()) {
      mustBePrepared(request.resource(), now.to());
    }
    if (!now.stops()) {
      noteStopping(request, live);
    }
    if (suspend(request, live, window) && !now.wasSuspended()) {
      noteSuspended(request);
    }
    String name = live.child(request.resource().name());
    long deadline = Deadline.here(activity, access.clock(), request.deadlineMs());
    return new Asked.UnderWay(
        Wait.acting(
                request.resource().namespace() + "/" + name,
                "the job of %s/%s to stop".formatted(request.resource().namespace(), name),
                request.deadlineMs(),
                guard -> looked(request, live, deadline, guard))
            .every(OFTEN, OFTEN.multipliedBy(10))
            .reportingTo(request.resource()));
  }

  /** The transition as it stands; it may have gone on since it was planned for, by this request. */
  private static Begun standing(SavepointRequest request, FlinkBlueGreenDeployment parent) {
    BlueGreenStanding standing = BlueGreenStatus.standing(parent.getStatus());
    Begun now = standing.transition();
    Begun planned = request.plannedFor().transition();
    if (now == null
        || planned == null
        || !now.isSame(planned)
        || now.cut() == null
        || now.switchedMs() != null
        || standing.live() == null
        || standing.live() != request.plannedFor().live()
        || standing.live() == now.to()) {
      throw BlueGreenStatus.outdated("no transition waits for the live job to stop");
    }
    return now;
  }

  /** Nothing is stopped before there is where to go on. */
  private void mustBePrepared(ResourceRef parent, Color to) {
    Phase phase =
        store
            .see(parent, to)
            .map(it -> slots.look(parent, it))
            .filter(it -> it.ours() && !it.deleting() && !it.hasJob())
            .map(ChildSeen::phase)
            .orElseThrow(
                () -> BlueGreenStatus.outdated(to + " is no session cluster without a job"));
    if (!(phase instanceof Phase.Prepared)) {
      throw BlueGreenStatus.outdated(
          "the cluster of %s is not ready: %s".formatted(to, ChildReading.words(phase)));
    }
  }

  /** That it is to be told to stop. */
  private void noteStopping(SavepointRequest request, Color live) {
    note(
        request,
        (stands, status) ->
            stands.stops()
                ? status
                : status
                    .withTransition(
                        Objects.requireNonNull(status.transition()).withStoppingAt(now()))
                    .withBlueGreenState(BlueGreenState.savepointing(live)));
  }

  /** That its resource says so: who has it run from now on wants it to. */
  private void noteSuspended(SavepointRequest request) {
    note(
        request,
        (stands, status) ->
            stands.wasSuspended()
                ? status
                : status.withTransition(
                    Objects.requireNonNull(status.transition()).withSuspendedAt(now())));
  }

  private String now() {
    return BlueGreenStatus.text(access.clock().millis());
  }

  private void note(
      SavepointRequest request,
      BiFunction<Begun, FlinkBlueGreenDeploymentStatus, FlinkBlueGreenDeploymentStatus> note) {
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.resource(),
            parent ->
                note.apply(standing(request, parent), BlueGreenStatus.owned(parent.getStatus())));
  }

  /**
   * Whether it is told to be suspended then. It is read before the transition is: at the end of
   * that it is written once more, so that a stop which is late finds another version.
   */
  private boolean suspend(SavepointRequest request, Color live, EffectWindow window) {
    ResourceRef ref = request.resource();
    return KubernetesFailure.translate(
        "suspend the live child %s/%s".formatted(ref.namespace(), live.child(ref.name())),
        () ->
            ConflictRetry.then(
                window,
                () -> store.same(ref, live, request.live()),
                child -> suspend(request, live, child, window)));
  }

  private boolean suspend(
      SavepointRequest request, Color live, FoundChild child, EffectWindow window) {
    Begun now = standing(request, store.read(request.resource()));
    JobSpec job = child.job();
    HasMetadata resource = child.jobResource();
    if (job == null || resource == null || job.isSuspended()) {
      return job != null;
    }
    Phase phase = store.seen(request.resource(), live, child).phase();
    if (now.wasSuspended() || phase instanceof Phase.Finished) {
      // somebody has it run again; or it has ended by itself, and the way back must not rerun it
      return false;
    }
    // the way back needs the state, too
    boolean stateless =
        job.upgradeMode() == UpgradeMode.STATELESS && now.source() != Source.SAVEPOINT;
    window.check();
    patches.state(
        resource,
        DesiredJobState.SUSPENDED,
        stateless ? UpgradeMode.STATELESS : UpgradeMode.SAVEPOINT);
    return true;
  }

  private ProbeResult<Taken> looked(
      SavepointRequest request, Color live, long deadlineMs, ActGuard guard) {
    try {
      return look(request, live, deadlineMs, guard);
    } catch (ApplicationFailure refused) {
      if (refused.isNonRetryable()) {
        return ProbeResult.failed(refused.getType(), refused.getOriginalMessage());
      }
      throw refused;
    }
  }

  private ProbeResult<Taken> look(
      SavepointRequest request, Color live, long deadlineMs, ActGuard guard) {
    Optional<ChildSeen> found =
        store.see(request.resource(), live).filter(it -> it.uid().equals(request.live()));
    if (found.isEmpty()) {
      return failed("the live child is gone");
    }
    ChildSeen child = found.get();
    Phase phase = child.phase();
    boolean needsState =
        Objects.requireNonNull(request.plannedFor().transition()).source() == Source.SAVEPOINT;
    if (child.isStopped()) {
      String state = SessionChildWrites.state(phase);
      if (!needsState) {
        return stopped(request, null, guard);
      }
      return state == null ? failed("it has left no state") : stopped(request, state, guard);
    }
    if (child.toldToRun()) {
      return failed("its job was told to run again");
    }
    boolean over = access.clock().millis() >= deadlineMs;
    String words = ChildReading.words(phase);
    return over || phase instanceof Phase.Held || phase instanceof Phase.Failed
        ? failed(words)
        : ProbeResult.notYet(words);
  }

  private ProbeResult<Taken> stopped(
      SavepointRequest request, @Nullable String state, ActGuard guard) {
    if (!guard.mayAct()) {
      return ProbeResult.notYet("the live job is stopped");
    }
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.resource(),
            parent -> {
              Begun now = standing(request, parent);
              FlinkBlueGreenDeploymentStatus status =
                  BlueGreenStatus.owned(parent.getStatus())
                      .withBlueGreenState(BlueGreenState.transitioning(now.to()));
              return state == null
                  ? status
                  : status
                      .withTransition(
                          Objects.requireNonNull(status.transition()).withSavepointPath(state))
                      .withOperation(
                          status.operation() == null
                              ? null
                              : status.operation().withSavepoint(state));
            });
    return ProbeResult.done(state == null ? new Taken.Stopped() : new Taken.At(state));
  }

  private static ProbeResult<Taken> failed(String why) {
    return ProbeResult.done(new Taken.Failed(why));
  }
}
