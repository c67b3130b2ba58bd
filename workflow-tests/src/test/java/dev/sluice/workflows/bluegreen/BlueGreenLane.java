package dev.sluice.workflows.bluegreen;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.simulation.ModelLane;
import dev.sluice.workflows.simulation.WorkflowWorker;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lane of one FlinkBlueGreenDeployment. */
final class BlueGreenLane extends ModelLane<BlueGreenModel> {

  private static final int HELD_LOOKS = 8;
  private static final int WAITING_LOOKS = 60;
  private static final Set<String> WAITING = Set.of("ObserveBlueGreen", "AwaitChild");

  BlueGreenLane(WorkflowWorker workflows, BlueGreenModel model, String name) {
    super(
        workflows,
        model,
        BlueGreenActivities.class,
        new ResourceRef("model", "FlinkBlueGreenDeployment", "default", name, "uid-" + name),
        Transition.TYPE,
        DeleteBlueGreen.TYPE);
  }

  /** A person changes the spec while a run may be open. */
  void change(ModelSpec next) {
    model.change(next);
    changed();
  }

  @Override
  protected boolean isHeld(List<String> steps) {
    OperationState state = model.operation();
    boolean held = state == OperationState.PARKED || state == OperationState.BLOCKED;
    int looks = held ? HELD_LOOKS : WAITING_LOOKS;
    if (steps.size() < looks) {
      return false;
    }
    List<String> last = steps.subList(steps.size() - looks, steps.size());
    return held ? last.stream().distinct().count() == 1 : isWaiting() && WAITING.containsAll(last);
  }

  /** Whether the run waits for a child, without a limit, and says so. */
  boolean isWaiting() {
    return model.operation() == OperationState.RUNNING;
  }

  @Override
  protected @Nullable String wanted() {
    BlueGreenStanding standing = model.standing;
    boolean settled =
        standing.reached() == model.generation || standing.givenUp() == model.generation;
    boolean wanted = model.newest().problem() == null && !settled;
    return wanted || model.isOperationOpen() || standing.transition() != null
        ? Transition.TYPE
        : null;
  }

  @Override
  protected void removed() {
    model.children.clear();
  }
}
