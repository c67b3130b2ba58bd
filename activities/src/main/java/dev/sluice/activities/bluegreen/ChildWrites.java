package dev.sluice.activities.bluegreen;

import dev.sluice.activities.bluegreen.ChildManifest.Start;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.status.ConflictRetry;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenSeen;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the specs of children, by server-side apply and a field manager of their own. */
final class ChildWrites {

  /** Who owns the fields of a child that its parent decides. */
  static final String FIELD_MANAGER = "sluice-blue-green";

  /** Failures that say nothing about the spec. */
  static final Set<String> NOT_OF_SPEC =
      Set.of(FailureType.OUTDATED, FailureType.NAME_TAKEN, FailureType.RESOURCE_GONE);

  private final BlueGreenStore store;
  private final ChildPatches patches;
  private final SessionChildWrites sessions;
  private final Clock clock;

  ChildWrites(KubernetesClient client, BlueGreenStore store, Clock clock) {
    this.store = store;
    this.patches = new ChildPatches(client);
    this.sessions = new SessionChildWrites(store, patches);
    this.clock = clock;
  }

  /**
   * Has the API server check a child that is to be created. Where another one has its name still,
   * that would be checked as a change of it, and is left out.
   */
  void dryRun(ResourceRef parent, Color color, List<HasMetadata> wanted) {
    Optional<FoundChild> there = store.child(parent, color);
    if (there.isPresent()) {
      there.get().all().forEach(it -> BlueGreenStore.mustBeOurs(parent, it));
      return;
    }
    wanted.forEach(
        it ->
            KubernetesFailure.translate(
                "create %s %s".formatted(it.getKind(), it.getMetadata().getName()),
                () -> patches.apply(it, null, true)));
  }

  /** As {@code BlueGreenActivities.applyChild}. */
  void apply(ChildRequest request) {
    change(
        request,
        "apply",
        (parent, window) -> {
          if (BlueGreenStore.generation(parent) != request.generation()
              && !BlueGreenStatus.hasTemplateOfTransition(parent)) {
            throw BlueGreenStatus.outdated(
                "the newest spec is of generation %d, not %d"
                    .formatted(BlueGreenStore.generation(parent), request.generation()));
          }
          FoundChild there = there(request).orElse(null);
          Optional<Start> start = start(parent, request, there);
          FlinkBlueGreenDeployment of = of(parent, request.generation());
          if (isSession(request, there)) {
            sessions.apply(of, request, (FoundChild.Session) there, start, window);
            return;
          }
          FlinkDeployment wanted =
              ChildManifest.of(
                  of, request.color(), start.orElseThrow(ChildWrites::startIsNotKnown));
          if (there != null) {
            mustNotBeLeft(store, request, there, wanted.getSpec().job());
          }
          window.check();
          patches.apply(wanted, version(there), false);
        });
  }

  /** As of an earlier generation, which was the same for a child. */
  private static FlinkBlueGreenDeployment of(FlinkBlueGreenDeployment newest, long generation) {
    FlinkBlueGreenDeployment earlier = new FlinkBlueGreenDeployment();
    earlier.setMetadata(
        new ObjectMetaBuilder(newest.getMetadata()).withGeneration(generation).build());
    earlier.setSpec(newest.getSpec());
    return earlier;
  }

  /** A child that is there keeps its shape. */
  private static boolean isSession(ChildRequest request, @Nullable FoundChild there) {
    Begun transition = request.plannedFor().transition();
    return there == null
        ? transition != null && transition.cut() != null
        : there instanceof FoundChild.Session;
  }

  private static String version(@Nullable FoundChild there) {
    return there instanceof FoundChild.Application application
        ? application.deployment().getMetadata().getResourceVersion()
        : ChildPatches.NOT_THERE;
  }

  /** As {@code BlueGreenActivities.suspendChild}. */
  void suspend(ChildRequest request) {
    change(
        request,
        "suspend",
        (parent, window) -> {
          if (request.color() == request.plannedFor().live()) {
            throw BlueGreenStatus.outdated(request.color() + " is live: its spec suspends it");
          }
          FoundChild there =
              there(request).orElseThrow(() -> BlueGreenStatus.outdated("the child is gone"));
          JobSpec job = there.job();
          HasMetadata resource = there.jobResource();
          if (job != null && resource != null && !job.isSuspended()) {
            window.check();
            patches.state(resource, DesiredJobState.SUSPENDED, null);
          }
        });
  }

  private interface Change {
    void to(FlinkBlueGreenDeployment parent, EffectWindow window);
  }

  /** Decides from what is read now; once more when somebody else wrote in between. */
  private void change(ChildRequest request, String verb, Change change) {
    ResourceRef ref = request.resource();
    EffectWindow window = EffectWindow.open(clock);
    boolean unused =
        KubernetesFailure.translate(
            "%s child %s/%s" // it may be two resources: the API server names the kind
                .formatted(verb, ref.namespace(), request.color().child(ref.name())),
            () ->
                ConflictRetry.then(
                    window,
                    () -> store.read(ref),
                    parent -> {
                      BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
                      change.to(parent, window);
                      return true;
                    }));
  }

  /** The child that was seen; one that an earlier try of the same request has created counts. */
  private Optional<FoundChild> there(ChildRequest request) {
    Optional<FoundChild> found = store.child(request.resource(), request.color());
    String seen = request.seen();
    if (found.isEmpty()) {
      if (seen != null) {
        throw BlueGreenStatus.outdated("the child that was seen is gone");
      }
      return found;
    }
    FoundChild there = found.get();
    there.all().forEach(it -> BlueGreenStore.mustBeOurs(request.resource(), it));
    if (there.isDeleting()) {
      throw BlueGreenStatus.outdated("the child is being deleted");
    }
    if (seen != null && !seen.equals(there.uid())) {
      throw BlueGreenStatus.outdated("the child is another one than was seen");
    }
    if (seen == null && there.madeFor() != request.generation()) {
      throw BlueGreenStatus.outdated("there is a child, and none was seen");
    }
    return found;
  }

  /**
   * What its first job starts from: never from nothing where a state is to be carried over. Empty
   * as long as that is not known.
   */
  private static Optional<Start> start(
      FlinkBlueGreenDeployment parent, ChildRequest request, @Nullable FoundChild there) {
    BlueGreenStanding standing = request.plannedFor();
    Begun transition = standing.transition();
    if (transition != null
        && transition.to() == request.color()
        && transition.switchedMs() == null) {
      if (transition.generation() != request.generation()) {
        throw BlueGreenStatus.outdated(
            "the transition is for generation " + transition.generation());
      }
      return Start.of(transition.source(), transition.savepoint());
    }
    if (request.color() != standing.live()) {
      throw BlueGreenStatus.outdated(request.color() + " is neither live nor does it come");
    }
    JobSpec job = there == null ? null : there.job();
    if (transition != null || there == null || job == null) {
      throw BlueGreenStatus.outdated("the live child is not there, or a transition goes on");
    }
    boolean redeploys =
        new WantedTemplate(parent).change() == BlueGreenSeen.Change.SAVEPOINT_REDEPLOY;
    return Optional.of(
        redeploys || isToStartAsSpec(parent, there)
            ? new Start.OfSpec() // the child is asked to start from there, too
            : new Start.Kept(job));
  }

  /** A job that never ran, and was to start from what the last spec named, follows the newest. */
  private static boolean isToStartAsSpec(FlinkBlueGreenDeployment parent, FoundChild child) {
    FrozenBlueGreen reached = BlueGreenStatus.reached(parent.getStatus());
    JobSpec before = reached == null ? null : reached.spec().template().spec().job();
    JobSpec job = child.job();
    return before != null
        && job != null
        && !ChildReading.hasRun(child)
        && Objects.equals(job.initialSavepointPath(), before.initialSavepointPath())
        && Objects.equals(job.flinkStateSnapshotReference(), before.flinkStateSnapshotReference())
        && Objects.equals(job.savepointRedeployNonce(), before.savepointRedeployNonce());
  }

  /** No child starts before it is. */
  static ApplicationFailure startIsNotKnown() {
    return BlueGreenStatus.outdated("the status does not say yet what the new job starts from");
  }

  /**
   * What another transition left has a state of its own and would not start from this one's. A
   * first deployment has left nothing yet that could be lost. Where the live child is gone, the
   * child that was to replace it has the only state, and goes on with it.
   *
   * @param wanted the job that is to be written
   */
  static void mustNotBeLeft(
      BlueGreenStore store, ChildRequest request, FoundChild there, @Nullable JobSpec wanted) {
    BlueGreenStanding standing = request.plannedFor();
    if (standing.live() == null || standing.live() == request.color()) {
      return;
    }
    JobSpec job = there.job();
    boolean samePath =
        job == null
            ? there instanceof FoundChild.Session
            : Objects.equals(job.startPath(), wanted == null ? null : wanted.startPath());
    boolean same = samePath && there.madeFor() == request.generation();
    if (!same
        && !(isOnlyOne(store, request, standing.live()) && (samePath || isOfSpec(standing)))) {
      throw BlueGreenStatus.outdated(
          "another transition has left %s, which has to be deleted first"
              .formatted(request.color().child(request.resource().name())));
    }
  }

  private static boolean isOnlyOne(BlueGreenStore store, ChildRequest request, Color live) {
    return store
        .child(request.resource(), live)
        .filter(it -> it.isOwned(request.resource().uid()))
        .filter(it -> !it.isDeleting())
        .isEmpty();
  }

  private static boolean isOfSpec(BlueGreenStanding standing) {
    Begun transition = standing.transition();
    return transition != null && transition.source() == Source.SPEC;
  }
}
