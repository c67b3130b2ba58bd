package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.bluegreen.BlueGreenSeen.Change;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Cut;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One FlinkBlueGreenDeployment, its children, their jobs and savepoints, by the rules of {@link
 * BlueGreenActivities}: what breaks a rule of the operations is a violation.
 */
final class BlueGreenModel extends BlueGreenWorld implements BlueGreenActivities {

  private final ModelHandover handover = new ModelHandover(this);
  private int transitions;

  @Override
  public BlueGreenSeen observe(ResourceRef resource) {
    return effect(
        "ObserveBlueGreen",
        () -> {
          requireExists();
          surprised = false;
          BlueGreenSeen seen = seen();
          children.values().forEach(ModelChild::settles);
          return seen;
        });
  }

  @Override
  public Begin begin(BeginRequest request) {
    return effect("BeginTransition", () -> begun(request));
  }

  private Begin begun(BeginRequest request) {
    requireExists();
    long target = request.report().targetGeneration();
    Begun before = standing.transition();
    if (before != null
        && before.generation() == target
        && before.to() == request.to()
        && !standing.equals(request.plannedFor())) {
      return new Begin.Begun(standing);
    }
    requirePlannedFor(request.plannedFor());
    if (target != generation) {
      return new Begin.Changed(generation);
    }
    if (begunInvalid != null) {
      return new Begin.Invalid(begunInvalid);
    }
    check(!everGivenUp.contains(target) || retryAsked, "what was given up is not tried again");
    check(
        before == null
            || (before.generation() < target && !isSameTemplate())
            || before.savepoint() == null
            || liveChild() == null,
        "a transition is not begun again without a newer spec");
    check(standing.live() != request.to(), "no transition to the live child");
    checkSource(request.source());
    begunSpec = newest();
    // nothing takes time here, and no two transitions begin at once
    long since = clock.getAsLong() + ++transitions;
    standing =
        new BlueGreenStanding(
            standing.live(),
            new Begun(
                request.to(),
                target,
                since,
                request.source(),
                request.known(),
                null,
                newest().settings().exactlyOnce() ? Cut.AHEAD : null),
            standing.reached(),
            0);
    reports.add(request.report());
    return new Begin.Begun(standing);
  }

  /** Which may not be the path of the spec, once there is a state of a live job. */
  private void checkSource(Source source) {
    ModelChild live = liveChild();
    check(
        source != Source.SPEC || standing.live() == null || change() == Change.SAVEPOINT_REDEPLOY,
        "what the spec names is for the first deployment and for a redeploy");
    check(
        source != Source.EMPTY
            || surprised
            || newest().options().stateless()
            || "empty".equals(restoreFrom)
            || (live != null && live.phase() instanceof Phase.Finished),
        "a job starts without state where the spec or a person says so, or none is left");
  }

  @Override
  public Taken takeSavepoint(SavepointRequest request) {
    return effect(
        "TakeTransitionSavepoint",
        () -> {
          requireExists();
          return handover.taken(request);
        });
  }

  private static boolean isSame(Begun begun, BlueGreenStanding planned) {
    return planned.transition() != null && planned.transition().sinceMs() == begun.sinceMs();
  }

  @Override
  public Taken stopLive(SavepointRequest request) {
    return effect(
        "StopLive",
        () -> {
          requireExists();
          return handover.stopped(request);
        });
  }

  @Override
  public void resumeLive(ChildRequest request) {
    boolean unused =
        effect(
            "ResumeLive",
            () -> {
              requireExists();
              requirePlannedFor(request.plannedFor());
              handover.resumed(request);
              return true;
            });
  }

  @Override
  public void applyChild(ChildRequest request) {
    boolean unused =
        effect(
            "ApplyChild",
            () -> {
              requireExists();
              requirePlannedFor(request.plannedFor());
              if (request.generation() != generation && !isSameTemplate()) {
                throw outdated("there is a newer spec");
              }
              ModelChild child = children.get(request.color());
              if (child == null && request.seen() == null) {
                handover.created(request.color(), request.generation());
              } else if (child == null
                  || !(request.seen() == null || child.uid.equals(request.seen()))) {
                throw outdated("the child is another one");
              } else if (!child.ours) {
                throw ApplicationFailure.newNonRetryableFailure("taken", FailureType.NAME_TAKEN);
              } else {
                check(
                    liveChild() == null
                        || request.color() == standing.live()
                        || child.madeFor == request.generation(),
                    "what another transition left is not changed");
                child.apply(request.generation(), newest());
                if (!child.hasJob && !handover.started(child)) {
                  throw outdated("the live job is not stopped");
                }
              }
              return true;
            });
  }

  @Override
  public Awaited awaitChild(AwaitChildRequest request) {
    return effect(
        "AwaitChild",
        () -> {
          requireExists();
          ModelChild child = children.get(request.color());
          if (child != null) {
            child.settles();
          }
          return new Awaited(child == null ? null : child.seen());
        });
  }

  @Override
  public Gate awaitGates(AwaitChildRequest request) {
    return effect(
        "AwaitGates",
        () -> {
          requireExists();
          ModelChild child = children.get(request.color());
          if (child == null || !child.uid.equals(request.seen())) {
            return new Gate(false, "it is gone", true);
          }
          boolean failed = child.spec.works() == ModelSpec.Works.FAILS_AT_GATES;
          return new Gate(child.passesGates() && child.stands(), "checkpoints", failed);
        });
  }

  @Override
  public void switchLive(SwitchRequest request) {
    boolean unused =
        effect(
            "SwitchLive",
            () -> {
              requireExists();
              Begun begun = standing.transition();
              if (standing.live() == request.live()
                  && begun != null
                  && begun.switchedMs() != null
                  && isSame(begun, request.plannedFor())) {
                return true;
              }
              requirePlannedFor(request.plannedFor());
              switched(Objects.requireNonNull(begun), request);
              reports.add(request.report());
              return true;
            });
  }

  private void switched(Begun begun, SwitchRequest request) {
    ModelChild next = children.get(request.live());
    boolean back = request.live() != begun.to();
    if (next == null || !isUp(next)) {
      check(surprised, "only a child that is up becomes live");
      throw outdated("the child is not up");
    }
    ModelChild old = liveChild();
    if (!back) {
      handover.requireStopped(begun, old);
      checkState(begun, next, old);
    }
    Long at = back ? begun.switchedMs() : Long.valueOf(clock.getAsLong());
    standing =
        new BlueGreenStanding(
            request.live(),
            new Begun(
                begun.to(),
                begun.generation(),
                begun.sinceMs(),
                begun.source(),
                begun.savepoint(),
                at,
                begun.cut()),
            standing.reached(),
            standing.givenUp());
    live.add(next.uid);
  }

  private boolean isUp(ModelChild child) {
    return child.stands() && (child.spec.running() || !newest().running());
  }

  /** A child that becomes live has the state that this transition said. */
  private void checkState(Begun begun, ModelChild next, @Nullable ModelChild old) {
    check(next.madeFor == begun.generation(), "the child that becomes live has the spec");
    if (begun.source() == Source.SPEC) {
      return;
    }
    check(Objects.equals(next.startsFrom, begun.savepoint()), "started from its own savepoint");
    if (begun.source() == Source.SAVEPOINT && old != null) {
      Savepoint from = savepoints.get(next.startsFrom);
      check(
          from != null && from.of().equals(old.uid) && from.since() == begun.sinceMs(),
          "started from a savepoint that this transition took of the live job");
      check(
          begun.cut() == null || meddled || from == null || from.records() == old.records,
          "nothing was processed after the savepoint");
    }
  }

  @Override
  public void awaitIngress(AwaitChildRequest request) {
    boolean unused =
        effect(
            "AwaitIngress",
            () -> {
              requireExists();
              requirePlannedFor(request.plannedFor());
              return true;
            });
  }

  @Override
  public void suspendChild(ChildRequest request) {
    boolean unused =
        effect(
            "SuspendChild",
            () -> {
              requireExists();
              requirePlannedFor(request.plannedFor());
              check(request.color() != standing.live(), "the live child is never suspended");
              ModelChild child = children.get(request.color());
              if (child != null && child.uid.equals(request.seen())) {
                child.suspend();
              }
              return true;
            });
  }

  @Override
  public void deleteChild(AwaitChildRequest request) {
    boolean unused =
        effect(
            "DeleteChild",
            () -> {
              requireExists();
              ModelChild child = children.get(request.color());
              if (child == null || !child.uid.equals(request.seen())) {
                return true;
              }
              check(child.ours, "only its own children");
              if (!deleting) {
                requirePlannedFor(request.plannedFor());
                requireReplaced(request.color());
              }
              if (neverGone) {
                throw ApplicationFailure.newNonRetryableFailure(
                    "its pods stay", FailureType.CLUSTER_NOT_GONE);
              }
              children.remove(request.color());
              return true;
            });
  }

  /** What is deleted is not live, and what is live is up where it takes the place of this one. */
  private void requireReplaced(Color color) {
    check(color != standing.live(), "the live child is never deleted");
    Begun begun = standing.transition();
    ModelChild now = liveChild();
    boolean old = begun != null && begun.to() == standing.live();
    if (old && (now == null || !now.stands())) {
      check(surprised, "the old child goes when the new one is up, and not before");
      throw outdated("the live child is not ready");
    }
    ModelChild gone = Objects.requireNonNull(children.get(color));
    check(
        standing.live() == null || surprised || now != null || restoreFrom != null || !gone.hasJob,
        "never both: the other one is gone");
  }

  @Override
  public void end(EndRequest request) {
    boolean unused =
        effect(
            "EndTransition",
            () -> {
              requireExists();
              ended(request);
              return true;
            });
  }

  private void ended(EndRequest request) {
    long target = request.report().targetGeneration();
    boolean done =
        standing.transition() == null
            && (request.reached() ? standing.reached() : standing.givenUp()) == target;
    if (done && !standing.equals(request.plannedFor())) {
      return;
    }
    requirePlannedFor(request.plannedFor());
    ModelSpec spec = Objects.requireNonNull(specs.get(target));
    if (request.reached()) {
      ModelChild now = liveChild();
      check(surprised || now != null, "a spec is reached with a child that is live");
      check(
          meddled || now == null || now.spec.sameAs(spec) || spec.from(reachedSpec) == Change.NONE,
          "what is live is what was reached");
      reachedSpec = spec;
    }
    if (!request.reached()) {
      everGivenUp.add(target);
    }
    standing =
        new BlueGreenStanding(
            standing.live(),
            null,
            request.reached() ? target : standing.reached(),
            request.reached() ? 0 : target);
    reports.add(request.report());
  }

  @Override
  public void report(OperationReport report) {
    boolean unused =
        effect(
            "ReportBlueGreen",
            () -> {
              requireExists();
              reports.add(report);
              return true;
            });
  }
}
