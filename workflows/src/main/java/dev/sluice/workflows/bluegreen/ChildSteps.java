package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.AwaitChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Awaited;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.ChildRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Gate;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.SavepointRequest;
import dev.sluice.workflows.bluegreen.BlueGreenActivities.Taken;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Apply;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Await;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.AwaitIngress;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Delete;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.PassGates;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.ResumeLive;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.StopLive;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.Suspend;
import dev.sluice.workflows.bluegreen.BlueGreenDecision.TakeSavepoint;
import dev.sluice.workflows.bluegreen.TransitionMemory.GivingUp;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import java.time.Duration;
import java.util.Optional;

/** The steps of a transition that are about one child. */
final class ChildSteps {

  /** A wait without a limit of its own looks again after this time. */
  private static final Duration LOOK_AGAIN = Duration.ofHours(1);

  /** How long the Ingress may take until the controller has pointed it at the live child. */
  private static final Duration INGRESS = Duration.ofMinutes(2);

  /** A child may take a savepoint before it goes. */
  private static final Duration GONE = Duration.ofMinutes(10);

  private final OperationContext context;
  private final StepRunner steps;
  private final TransitionMemory memory;
  private final TransitionLog log;

  ChildSteps(
      OperationContext context, StepRunner steps, TransitionMemory memory, TransitionLog log) {
    this.context = context;
    this.steps = steps;
    this.memory = memory;
    this.log = log;
  }

  void takeSavepoint(TakeSavepoint take, BlueGreenSeen seen) {
    log.tell(Step.TAKE_TRANSITION_SAVEPOINT, take.why());
    Optional<Taken> taken =
        log.await(
            Step.TAKE_TRANSITION_SAVEPOINT,
            take.why(),
            take.untilMs(),
            a ->
                a.takeSavepoint(
                    new SavepointRequest(
                        context.resource(), seen.standing(), take.live(), take.untilMs())));
    if (taken.isEmpty()) {
      return;
    }
    if (taken.get() instanceof Taken.At at) {
      context.state(new StateRef.Savepoint(at.path()));
      log.done("Savepoint: " + at.path());
    } else if (taken.get() instanceof Taken.Failed failed) {
      String why = "No savepoint was taken: " + failed.why();
      memory.givesUp(GivingUp.failed(Reasons.SAVEPOINT_FAILED, why, seen.standing().transition()));
      log.done(why);
    }
  }

  /** What it comes to is seen with the next look: this run need not be the one that asked. */
  void stopLive(StopLive stop, BlueGreenSeen seen) {
    log.tell(Step.STOP_LIVE, stop.why());
    Optional<Taken> stopped =
        log.await(
            Step.STOP_LIVE,
            stop.why(),
            stop.untilMs(),
            a ->
                a.stopLive(
                    new SavepointRequest(
                        context.resource(), seen.standing(), stop.live(), stop.untilMs())));
    if (stopped.isEmpty()) {
      return;
    }
    if (stopped.get() instanceof Taken.At at) {
      context.state(new StateRef.Savepoint(at.path()));
      log.done("Stopped with savepoint: " + at.path());
    } else if (stopped.get() instanceof Taken.Failed failed) {
      log.done("Not stopped with a savepoint: " + failed.why());
    } else {
      log.done("Stopped");
    }
  }

  void resumeLive(ResumeLive resume, BlueGreenSeen seen) {
    boolean done =
        log.attempt(
            Step.RESUME_LIVE,
            resume.why(),
            a ->
                a.resumeLive(
                    new ChildRequest(
                        context.resource(),
                        seen.standing(),
                        context.target(),
                        resume.child(),
                        resume.seen())));
    if (done) {
      log.done(resume.why());
    }
  }

  void apply(Apply apply, BlueGreenSeen seen) {
    boolean done =
        log.attempt(
            Step.APPLY_CHILD,
            apply.why(),
            a ->
                a.applyChild(
                    new ChildRequest(
                        context.resource(),
                        seen.standing(),
                        apply.generation(),
                        apply.child(),
                        apply.seen())));
    if (done) {
      log.done(apply.why());
    }
  }

  void await(Await wait, BlueGreenSeen seen) {
    log.tell(Step.AWAIT_CHILD, wait.why());
    long deadline = wait.untilMs() == null ? context.in(LOOK_AGAIN) : wait.untilMs();
    Optional<Awaited> awaited =
        log.await(
            Step.AWAIT_CHILD,
            wait.why(),
            deadline,
            a -> a.awaitChild(request(seen, wait.child(), wait.seen(), deadline)));
    if (awaited.isEmpty()) {
      return;
    }
    ChildSeen child = awaited.get().child();
    String now = child == null ? "it does not exist" : TransitionLook.words(child.phase());
    context.done("%s: %s".formatted(wait.child().child(context.resource().name()), now));
    memory.settled();
  }

  void passGates(PassGates gates, BlueGreenSeen seen) {
    log.tell(Step.AWAIT_GATES, gates.why());
    Optional<Gate> gate =
        log.await(
            Step.AWAIT_GATES,
            gates.why(),
            gates.untilMs(),
            a -> a.awaitGates(request(seen, gates.child(), gates.seen(), gates.untilMs())));
    if (gate.isEmpty()) {
      return;
    }
    if (gate.get().passed()) {
      memory.gatesPassed(gates.seen());
      log.done("Gates passed: " + gate.get().what());
    } else if (gate.get().failed()) {
      String why = "The gates cannot be passed: " + gate.get().what();
      memory.givesUp(GivingUp.failed(Reasons.NOT_STABLE, why, seen.standing().transition()));
      log.done(why);
    } else {
      context.done("Not through the gates: " + gate.get().what());
    }
  }

  void awaitIngress(AwaitIngress ingress, BlueGreenSeen seen) {
    long deadline = context.in(INGRESS);
    Optional<Boolean> there =
        log.await(
            Step.AWAIT_INGRESS,
            ingress.why(),
            deadline,
            a -> {
              a.awaitIngress(request(seen, ingress.child(), ingress.seen(), deadline));
              return true;
            });
    if (there.isPresent()) {
      memory.ingressAt(ingress.child());
      log.done("The Ingress is at " + ingress.child().child(context.resource().name()));
    }
  }

  void suspend(Suspend suspend, BlueGreenSeen seen) {
    boolean done =
        log.attempt(
            Step.SUSPEND_CHILD,
            suspend.why(),
            a ->
                a.suspendChild(
                    new ChildRequest(
                        context.resource(),
                        seen.standing(),
                        context.target(),
                        suspend.child(),
                        suspend.seen())));
    if (done) {
      memory.suspended(suspend.seen());
      log.done(suspend.why());
    }
  }

  void delete(Delete delete, BlueGreenSeen seen) {
    log.tell(Step.DELETE_CHILD, delete.why());
    boolean unused =
        steps.runToCompletion(
            Step.DELETE_CHILD,
            delete.why(),
            GONE,
            BlueGreenActivities.class,
            (a, deadline) -> {
              a.deleteChild(request(seen, delete.child(), delete.seen(), deadline));
              return true;
            });
    log.done(delete.why());
  }

  private AwaitChildRequest request(BlueGreenSeen seen, Color child, String uid, long deadlineMs) {
    long madeFor = seen.child(child).map(ChildSeen::madeFor).orElse(context.target());
    return new AwaitChildRequest(
        context.resource(), seen.standing(), madeFor, child, uid, deadlineMs);
  }
}
