package dev.sluice.controller.bluegreen;

import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import dev.sluice.workflows.bluegreen.DeleteBlueGreen;
import dev.sluice.workflows.bluegreen.Transition;
import org.jspecify.annotations.Nullable;

/** Decides that a FlinkBlueGreenDeployment needs an operation. */
final class BlueGreenRequests extends LanePlanner<SeenBlueGreen> {

  private BlueGreenRequests(SeenBlueGreen seen) {
    super(seen);
  }

  /** What to do now. */
  static ReconcileAction decide(SeenBlueGreen seen) {
    return new BlueGreenRequests(seen).decide();
  }

  /** Before a child is made, the status says which. */
  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.live().isPresent()
        || seen.blueGreen().transition() != null
        || !seen.observed().children().areNone();
  }

  @Override
  protected String workflow(OperationType type) {
    return type == OperationType.DELETE ? DeleteBlueGreen.TYPE : Transition.TYPE;
  }

  @Override
  protected OperationType openType() {
    return OperationType.TRANSITION;
  }

  /** The run decides what is to be done about the children. */
  @Override
  protected @Nullable OperationType idle() {
    return seen.lacksLiveChild() || seen.runsBoth() ? OperationType.TRANSITION : null;
  }

  @Override
  protected @Nullable OperationType again() {
    return seen.phase() == ResourcePhase.GIVEN_UP || seen.lacksLiveChild()
        ? OperationType.TRANSITION
        : null;
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    return newRun(type, request, null, ColorWords.standing(seen));
  }
}
