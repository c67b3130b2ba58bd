package dev.sluice.controller.bluegreen;

import dev.sluice.api.bluegreen.BlueGreenState;
import dev.sluice.api.bluegreen.ChildEdits;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentStatus;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.bluegreen.GivenUp;
import dev.sluice.api.bluegreen.LiveChild;
import dev.sluice.api.bluegreen.TransitionStatus;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.SpecChange;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.inplace.InPlaceOutcome;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.AnnotationRequests;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.operation.TemporalAnswers;
import dev.sluice.controller.reconcile.SeenLane;
import dev.sluice.controller.status.SeenResource;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A FlinkBlueGreenDeployment, what was observed of it, and what follows from both.
 *
 * @param resource as the informer has it
 * @param ref the resource as workflows know it
 * @param observed what was observed in addition to the resource
 * @param check the newest spec, checked and compared with the last one that was reached
 * @param phase where the resource stands
 */
record SeenBlueGreen(
    FlinkBlueGreenDeployment resource,
    ResourceRef ref,
    Observed observed,
    BlueGreenCheck check,
    ResourcePhase phase)
    implements SeenResource, SeenLane<FlinkBlueGreenDeployment> {

  /**
   * Everything that was observed in addition to the resource.
   *
   * @param children its children
   * @param workflow the answers of Temporal
   * @param at when it was looked at
   * @param ingress what came of the Ingress
   */
  record Observed(
      KnownChildren children, TemporalAnswers temporal, Instant at, InPlaceOutcome ingress) {

    static Observed of(KnownChildren children, TemporalAnswers temporal, Instant at) {
      return new Observed(children, temporal, at, InPlaceOutcome.DONE);
    }

    Observed with(TemporalAnswers learned) {
      return new Observed(children, learned, at, ingress);
    }
  }

  static SeenBlueGreen of(
      FlinkBlueGreenDeployment resource, ResourceRef ref, BlueGreenCheck check, Observed observed) {
    return new SeenBlueGreen(resource, ref, observed, check, phase(resource, check));
  }

  private static ResourcePhase phase(FlinkBlueGreenDeployment resource, BlueGreenCheck check) {
    long generation = Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L);
    GivenUp givenUp = resource.getStatus().givenUp();
    boolean isGivenUp = givenUp != null && Objects.equals(givenUp.generation(), generation);
    // what was given up may be in the spec of the live child, from where a run takes it back
    boolean reverts = givenUp != null && !isGivenUp;
    boolean told = tellsWhatIsReached(resource.getStatus());
    return ResourcePhase.of(
        resource.getMetadata(),
        new BlueGreenStatusView(resource.getStatus()),
        new ResourcePhase.Newest(
            check.isValid(),
            told && check.isReached() && !reverts,
            told && check.reached() != null ? check.reached().generation() : null),
        () -> isGivenUp);
  }

  /**
   * Apache's operator writes the spec as reached when it begins with it, and no {@code live}: only
   * while none of its transitions goes on that is what the live child has.
   */
  private static boolean tellsWhatIsReached(FlinkBlueGreenDeploymentStatus status) {
    BlueGreenState state = status.blueGreenState();
    return status.live() != null
        || status.transition() != null
        || state == null
        || state == BlueGreenState.ACTIVE_BLUE
        || state == BlueGreenState.ACTIVE_GREEN;
  }

  SeenBlueGreen withChildren(KnownChildren children) {
    return new SeenBlueGreen(
        resource,
        ref,
        new Observed(children, observed.temporal(), observed.at(), observed.ingress()),
        check,
        phase);
  }

  SeenBlueGreen withIngress(InPlaceOutcome changed) {
    return new SeenBlueGreen(
        resource,
        ref,
        new Observed(observed.children(), observed.temporal(), observed.at(), changed),
        check,
        phase);
  }

  FlinkBlueGreenDeploymentStatus blueGreen() {
    return resource.getStatus();
  }

  @Override
  public JobResourceStatus status() {
    return new BlueGreenStatusView(blueGreen());
  }

  @Override
  public Instant at() {
    return observed.at();
  }

  @Override
  public TemporalAnswers temporal() {
    return observed.temporal();
  }

  @Override
  public AnnotationRequests requests() {
    return SeenResource.super.requests().withoutRollback();
  }

  @Override
  public List<String> changes() {
    return check.changes();
  }

  /**
   * The child that is live; empty before the first one is. Of what Apache's operator has left the
   * state says it, together with the children.
   */
  Optional<Color> live() {
    return Optional.ofNullable(blueGreen().live())
        .map(LiveChild::color)
        .or(() -> byApache().flatMap(it -> it.live(observed.children()::child)));
  }

  /** The state, as long as nothing but that says which child is live. */
  private Optional<BlueGreenState> byApache() {
    return Optional.ofNullable(blueGreen().blueGreenState())
        .filter(it -> blueGreen().live() == null && blueGreen().transition() == null);
  }

  /** The child that a transition brings; empty when none goes on. */
  Optional<Color> coming() {
    return Optional.ofNullable(blueGreen().transition()).map(TransitionStatus::to);
  }

  Optional<FlinkDeployment> liveChild() {
    return live().flatMap(observed.children()::child);
  }

  /** The child whose job is shown as that of the resource. */
  Optional<ShownChild> shownChild() {
    return live().or(this::coming).flatMap(observed.children()::shown);
  }

  /**
   * The children that are needed and not known, and those whose job is not: gone, or without a
   * label to be found by.
   */
  List<Color> missing() {
    if (phase == ResourcePhase.DELETING) {
      return List.of();
    }
    boolean both = byApache().filter(BlueGreenState::isTransitioning).isPresent();
    return Stream.of(Color.values())
        .filter(it -> both || it == live().orElse(null) || isClusterBeside(it))
        .filter(it -> observed.children().shown(it).filter(ShownChild::hasJob).isEmpty())
        .toList();
  }

  /**
   * A session cluster that is not live, nor comes: its job may run next to the live one, unseen.
   */
  private boolean isClusterBeside(Color color) {
    return other()
        .filter(color::equals)
        .flatMap(observed.children()::child)
        .filter(it -> !it.getSpec().isApplication())
        .isPresent();
  }

  /** The child that is neither live nor comes; empty while none is live. */
  Optional<Color> other() {
    return live().map(Color::other).filter(it -> it != coming().orElse(null));
  }

  /**
   * What somebody changed in the child that is live: nobody puts it right. Only while it is sure
   * what that child was made for.
   */
  List<SpecChange> edits() {
    LiveChild live = blueGreen().live();
    FrozenBlueGreen reached = check.reached();
    Color color = live == null ? null : live.color();
    if (phase != ResourcePhase.SETTLED
        || live == null
        || color == null
        || reached == null
        || !Objects.equals(live.generation(), reached.generation())) {
      return List.of();
    }
    return observed
        .children()
        .shown(color)
        .filter(it -> it.hasJob() && it.main().metadata().getDeletionTimestamp() == null)
        .map(it -> edits(reached, color, it))
        .orElse(List.of());
  }

  private List<SpecChange> edits(FrozenBlueGreen reached, Color color, ShownChild child) {
    return observed
        .children()
        .child(color)
        .map(
            it ->
                ChildEdits.of(
                    reached,
                    ref.name(),
                    color.child(ref.name()),
                    it.getSpec(),
                    it.getSpec().isApplication() ? null : child.job()))
        .orElse(List.of());
  }

  /**
   * Whether the job of a child that is not live runs next to the live one, though no transition
   * goes on: both write. While an operation is open that is for its run to see.
   */
  boolean runsBoth() {
    boolean rests =
        phase == ResourcePhase.SETTLED
            || phase == ResourcePhase.GIVEN_UP
            || phase == ResourcePhase.INVALID;
    return rests
        && blueGreen().transition() == null
        && liveChild().isPresent()
        && other().flatMap(observed.children()::shown).filter(ShownChild::isToRun).isPresent();
  }

  /**
   * Whether somebody has deleted the child that is live. While an operation is open that is for its
   * run to see.
   */
  boolean lacksLiveChild() {
    return phase == ResourcePhase.SETTLED && live().filter(missing()::contains).isPresent();
  }

  /** What it comes to for the job, for words alone: the type of its run is always the same. */
  @Override
  public OperationType nextOperation() {
    return switch (check.diff().kind()) {
      case FIRST -> OperationType.DEPLOY;
      case SUSPEND -> OperationType.SUSPEND;
      case RESUME -> OperationType.RESUME;
      case NONE, PATCH, SAVEPOINT_REDEPLOY, TRANSITION -> OperationType.TRANSITION;
    };
  }

  /** The newest generation that an open operation knows of; that of the resource if unknown. */
  @Override
  public long target() {
    OperationStatus operation = operation();
    if (operation != null && operation.isOpen() && operation.targetGeneration() != null) {
      return operation.targetGeneration();
    }
    TransitionStatus transition = blueGreen().transition();
    return transition == null || transition.generation() == null
        ? generation()
        : transition.generation();
  }

  /** The newest, unless it is not valid. */
  @Override
  public long goal() {
    if (!phase.isOpen()) {
      return generation();
    }
    return check.isValid() ? Math.max(generation(), target()) : target();
  }

  @Override
  public List<Violation> violations() {
    return check.violations();
  }

  @Override
  public List<String> ignored() {
    return check.ignored();
  }

  @Override
  public @Nullable Long frozenGeneration() {
    return check.reached() == null ? null : check.reached().generation();
  }

  /** Its jobs are those of the children. */
  @Override
  public Optional<Job> job() {
    return Optional.empty();
  }

  @Override
  public boolean isSuspended() {
    return check.reached() != null && isSuspended(check.reached().spec());
  }

  private static boolean isSuspended(FlinkBlueGreenDeploymentSpec spec) {
    JobSpec job = spec.template().spec().job();
    return job != null && job.isSuspended();
  }

  @Override
  public String deletion() {
    return "Deleting both children, each as its own spec says";
  }

  @Override
  public String recovered() {
    return "the live child";
  }

  @Override
  public String waitsFor() {
    return phase == ResourcePhase.DELETING ? "" : ColorWords.standing(this);
  }
}
