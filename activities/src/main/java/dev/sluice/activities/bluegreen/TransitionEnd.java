package dev.sluice.activities.bluegreen;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.bluegreen.BlueGreenDiff;
import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.SessionTemplate;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.EndRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SwitchRequest;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.ChildSeen;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes which child is live, and how a transition has ended. */
final class TransitionEnd {

  private static final int LONGEST_MESSAGE = 1024;

  /** What {@link ChildManifest} adds to the template. */
  private static final Set<String> ADDED =
      Set.of(
          Labels.MANAGED_BY,
          FlinkBlueGreenDeployment.LABEL,
          Color.LABEL,
          Annotations.GENERATION,
          FlinkBlueGreenDeployment.WENT_BACK);

  private final BlueGreenStore store;
  private final BlueGreenStatusWriter writer;
  private final JobCheck jobs;
  private final Clock clock;

  TransitionEnd(BlueGreenStore store, BlueGreenStatusWriter writer, JobCheck jobs, Clock clock) {
    this.store = store;
    this.writer = writer;
    this.jobs = jobs;
    this.clock = clock;
  }

  /** As {@code BlueGreenActivities.switchLive}. */
  void switchLive(SwitchRequest request) {
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.report(),
            parent -> {
              FlinkBlueGreenDeploymentStatus status = BlueGreenStatus.owned(parent.getStatus());
              if (isSwitched(BlueGreenStatus.standing(status), request)) {
                return status;
              }
              BlueGreenStatus.check(status, request.plannedFor());
              return request.live() == request.plannedFor().live()
                  ? status
                  : switched(parent, status, request);
            });
  }

  /** Whether an earlier try of the same request has written it. */
  private static boolean isSwitched(BlueGreenStanding now, SwitchRequest request) {
    BlueGreenStanding planned = request.plannedFor();
    Begun begun = now.transition();
    Begun before = planned.transition();
    return now.live() == request.live()
        && planned.live() != request.live()
        && begun != null
        && before != null
        && begun.sinceMs() == before.sinceMs()
        && begun.to() == before.to();
  }

  private FlinkBlueGreenDeploymentStatus switched(
      FlinkBlueGreenDeployment parent,
      FlinkBlueGreenDeploymentStatus status,
      SwitchRequest request) {
    TransitionStatus transition = status.transition();
    Color to = transition == null ? null : transition.to();
    if (transition == null || to == null) {
      throw BlueGreenStatus.outdated("no transition goes on");
    }
    Color live = request.live();
    boolean back = live != to;
    boolean wantsRunning = new WantedTemplate(parent).settings().wantsRunning();
    ChildSeen child =
        store
            .see(request.resource(), live)
            .filter(it -> ChildReading.isUp(it, wantsRunning))
            .orElseThrow(() -> BlueGreenStatus.outdated(live + " is not up now"));
    long generation = Objects.requireNonNullElse(transition.generation(), 0L);
    if (!back && child.madeFor() != generation) {
      throw BlueGreenStatus.outdated(
          "%s was made for generation %d".formatted(live, child.madeFor()));
    }
    jobs.problem(request.resource(), child)
        .ifPresent(
            it -> {
              throw BlueGreenStatus.outdated("%s is not up now: %s".formatted(live, it));
            });
    if (!back && store.runsBeside(request.resource(), request.plannedFor())) {
      throw BlueGreenStatus.outdated(
          "the job of %s, which was stopped for that of %s, may run".formatted(live.other(), live));
    }
    String now = BlueGreenStatus.text(request.atMs());
    return status
        .withLive(new LiveChild(live, child.madeFor(), now))
        .withTransition(back ? transition : transition.withSwitchedAt(now))
        .withBlueGreenState(
            request.plannedFor().live() == null
                ? BlueGreenState.active(live)
                : BlueGreenState.transitioning(live))
        .withDeploymentReadyTimestamp(back ? status.deploymentReadyTimestamp() : now);
  }

  /** As {@code BlueGreenActivities.end}. */
  void end(EndRequest request) {
    FlinkBlueGreenDeploymentStatus unused =
        writer.write(
            request.report(),
            parent -> {
              FlinkBlueGreenDeploymentStatus status = BlueGreenStatus.owned(parent.getStatus());
              if (isEnded(BlueGreenStatus.standing(status), request)) {
                return status;
              }
              BlueGreenStatus.check(status, request.plannedFor());
              FlinkBlueGreenDeploymentStatus ended = ended(status, request.plannedFor().live());
              return request.reached() ? reached(parent, ended, request) : givenUp(ended, request);
            });
  }

  /** Whether an earlier try of the same request has written it. */
  private static boolean isEnded(BlueGreenStanding now, EndRequest request) {
    long generation = request.report().targetGeneration();
    BlueGreenStanding planned = request.plannedFor();
    return now.transition() == null
        && now.live() == planned.live()
        && !now.equals(planned)
        && (request.reached() ? now.reached() : now.givenUp()) == generation;
  }

  private static FlinkBlueGreenDeploymentStatus ended(
      FlinkBlueGreenDeploymentStatus status, @Nullable Color live) {
    return status
        .withTransition(null)
        .withAbortTimestamp(null)
        .withSavepointTriggerId(null)
        .withBlueGreenState(
            live == null ? BlueGreenState.INITIALIZING_BLUE : BlueGreenState.active(live));
  }

  private static FlinkBlueGreenDeploymentStatus givenUp(
      FlinkBlueGreenDeploymentStatus status, EndRequest request) {
    return status.withGivenUp(
        new GivenUp(
            request.report().targetGeneration(),
            BoundedText.of(request.report().message(), LONGEST_MESSAGE)));
  }

  /** Nothing is written as reached that the live child was not made for (Apache's PR #1072). */
  private FlinkBlueGreenDeploymentStatus reached(
      FlinkBlueGreenDeployment parent, FlinkBlueGreenDeploymentStatus status, EndRequest request) {
    long generation = request.report().targetGeneration();
    Color live = request.plannedFor().live();
    if (live == null) {
      throw BlueGreenStatus.outdated("no child is live");
    }
    FoundChild child = store.child(request.resource(), live).orElse(null);
    ChildSeen seen = child == null ? null : store.seen(request.resource(), live, child);
    boolean isOfIt =
        child != null
            && seen != null
            && seen.ours()
            && BlueGreenStatus.noted(seen, status).madeFor() == generation;
    FlinkBlueGreenDeploymentSpec spec = spec(parent, generation, isOfIt ? child : null);
    boolean changesNothing =
        BlueGreenDiff.between(BlueGreenStatus.reached(status), parent.getSpec()).kind()
            == BlueGreenDiff.Kind.NONE;
    if (spec == null || (!isOfIt && !changesNothing)) {
      throw BlueGreenStatus.outdated(
          "%s was not made for generation %d".formatted(live, generation));
    }
    LiveChild before = status.live();
    return status
        .withLive(new LiveChild(live, generation, before == null ? null : before.since()))
        .withLastReconciledSpec(new FrozenBlueGreen(spec, generation).toJson())
        .withLastReconciledTimestamp(BlueGreenStatus.text(clock.millis()))
        .withGivenUp(null);
  }

  /** The spec of that generation; of an older one only its child still tells what it was. */
  private static @Nullable FlinkBlueGreenDeploymentSpec spec(
      FlinkBlueGreenDeployment parent, long generation, @Nullable FoundChild child) {
    if (BlueGreenStore.generation(parent) == generation
        || BlueGreenStatus.hasTemplateOfTransition(parent)) {
      return parent.getSpec();
    }
    HasMetadata of = child == null ? null : child.jobResource();
    return child == null || of == null
        ? null
        : parent
            .getSpec()
            .withTemplate(
                new ChildTemplate(
                    new ChildMetadata(
                        withoutAdded(of.getMetadata().getLabels()),
                        withoutAdded(of.getMetadata().getAnnotations())),
                    template(child)));
  }

  private static FlinkDeploymentSpec template(FoundChild child) {
    if (child instanceof FoundChild.Application application) {
      return application.deployment().getSpec();
    }
    FoundChild.Session session = (FoundChild.Session) child;
    FlinkDeployment cluster = session.cluster();
    FlinkDeploymentSpec spec = cluster == null ? FlinkDeploymentSpec.EMPTY : cluster.getSpec();
    JobSpec job = child.job();
    return job == null ? spec : SessionTemplate.whole(spec, job);
  }

  private static Map<String, String> withoutAdded(@Nullable Map<String, String> all) {
    Map<String, String> own = new TreeMap<>(all == null ? Map.of() : all);
    own.keySet().removeAll(ADDED);
    return own;
  }
}
