package dev.sluice.activities.bluegreen;

import dev.sluice.activities.bluegreen.ChildManifest.Start;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Begin;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.BeginRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Begins a transition: nothing is written before its child is known to be one that the API server
 * takes.
 */
final class TransitionBegin {

  private final BlueGreenStore store;
  private final ChildWrites children;
  private final BlueGreenStatusWriter writer;
  private final Supplier<DefaultConfiguration> defaults;

  TransitionBegin(
      BlueGreenStore store,
      ChildWrites children,
      BlueGreenStatusWriter writer,
      Supplier<DefaultConfiguration> defaults) {
    this.store = store;
    this.children = children;
    this.writer = writer;
    this.defaults = defaults;
  }

  /** As {@code BlueGreenActivities.begin}. */
  Begin begin(BeginRequest request) {
    FlinkBlueGreenDeployment parent = store.read(request.resource());
    BlueGreenStanding standing = BlueGreenStatus.standing(parent.getStatus());
    if (isBegun(standing, request)) {
      return new Begin.Begun(standing);
    }
    mustBePossible(parent, request);
    long generation = BlueGreenStore.generation(parent);
    if (generation != request.report().targetGeneration()) {
      return new Begin.Changed(generation);
    }
    String problem = problem(parent, request);
    return problem == null ? written(request) : new Begin.Invalid(problem);
  }

  private @Nullable String problem(FlinkBlueGreenDeployment parent, BeginRequest request) {
    String invalid = new WantedTemplate(parent).problem(defaults.get());
    if (invalid != null) {
      return invalid;
    }
    // the path of a savepoint that is not taken yet is no matter for the API server
    Start start = Start.of(request.source(), request.known()).orElseGet(Start.Empty::new);
    try {
      children.dryRun(request.resource(), request.to(), manifests(parent, request.to(), start));
      return null;
    } catch (ApplicationFailure refused) {
      if (refused.isNonRetryable() && !isOfPlan(refused)) {
        return "spec.template: " + refused.getOriginalMessage();
      }
      throw refused;
    }
  }

  private static List<HasMetadata> manifests(
      FlinkBlueGreenDeployment parent, Color to, Start start) {
    return new WantedTemplate(parent).settings().exactlyOnce()
        ? List.of(SessionManifest.cluster(parent, to), SessionManifest.job(parent, to, start))
        : List.of(ChildManifest.of(parent, to, start));
  }

  private static boolean isOfPlan(ApplicationFailure failure) {
    return ChildWrites.NOT_OF_SPEC.contains(failure.getType());
  }

  private Begin written(BeginRequest request) {
    FlinkBlueGreenDeploymentStatus written =
        writer.write(
            request.report(),
            parent -> {
              BlueGreenStanding now = BlueGreenStatus.standing(parent.getStatus());
              if (isBegun(now, request)) {
                return BlueGreenStatus.owned(parent.getStatus());
              }
              mustBePossible(parent, request);
              if (BlueGreenStore.generation(parent) != request.report().targetGeneration()) {
                throw BlueGreenStatus.outdated(
                    "there is a newer spec than the one that was checked");
              }
              return begun(parent, now, request);
            });
    return new Begin.Begun(BlueGreenStatus.standing(written));
  }

  private static void mustBePossible(FlinkBlueGreenDeployment parent, BeginRequest request) {
    BlueGreenStatus.check(parent.getStatus(), request.plannedFor());
    BlueGreenStanding planned = request.plannedFor();
    Begun before = planned.transition();
    if (parent.getMetadata().getDeletionTimestamp() != null) {
      throw BlueGreenStatus.outdated("it is being deleted");
    }
    if (request.to() == planned.live()) {
      throw BlueGreenStatus.outdated(request.to() + " is live: nothing may replace it in place");
    }
    if (before != null && before.switchedMs() != null) {
      throw BlueGreenStatus.outdated("a transition has switched and not ended");
    }
    if (request.source() == Source.KNOWN && request.known() == null) {
      throw BlueGreenStatus.outdated("no path is given to start from");
    }
  }

  /** Whether an earlier try of the same request has written it, though its answer was lost. */
  private static boolean isBegun(BlueGreenStanding now, BeginRequest request) {
    Begun begun = now.transition();
    BlueGreenStanding planned = request.plannedFor();
    return begun != null
        && !begun.equals(planned.transition())
        && begun.to() == request.to()
        && begun.generation() == request.report().targetGeneration()
        && begun.source() == request.source()
        && begun.switchedMs() == null
        && (request.source() != Source.KNOWN || Objects.equals(begun.savepoint(), request.known()))
        && now.live() == planned.live()
        && now.reached() == planned.reached()
        && now.givenUp() == 0;
  }

  private FlinkBlueGreenDeploymentStatus begun(
      FlinkBlueGreenDeployment parent, BlueGreenStanding now, BeginRequest request) {
    FlinkBlueGreenDeploymentStatus status = BlueGreenStatus.owned(parent.getStatus());
    long since = request.atMs();
    Color live = request.plannedFor().live();
    boolean cuts = new WantedTemplate(parent).settings().exactlyOnce();
    return status
        .withLive(
            status.live() == null && live != null
                ? new LiveChild(live, now.reached(), null) // Apache's operator does not say it
                : status.live())
        .withTransition(
            TransitionStatus.EMPTY
                .withTo(request.to())
                .withGeneration(request.report().targetGeneration())
                .withSince(BlueGreenStatus.text(since))
                .withSource(BlueGreenStatus.source(request.source()))
                .withSavepointPath(request.source() == Source.KNOWN ? request.known() : null)
                .withTemplate(parent.getSpec().template().hash())
                .withCutOver(cuts ? CutOver.EXACTLY_ONCE : null))
        .withBlueGreenState(state(live, request, cuts))
        .withAbortTimestamp(BlueGreenStatus.abortAt(since, parent))
        .withDeploymentReadyTimestamp(null)
        .withSavepointTriggerId(null)
        .withGivenUp(null);
  }

  private static BlueGreenState state(@Nullable Color live, BeginRequest request, boolean cuts) {
    if (live == null) {
      return BlueGreenState.INITIALIZING_BLUE;
    }
    return request.source() == Source.SAVEPOINT && !cuts
        ? BlueGreenState.savepointing(live)
        : BlueGreenState.transitioning(request.to());
  }
}
