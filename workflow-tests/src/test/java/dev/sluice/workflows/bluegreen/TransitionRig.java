package dev.sluice.workflows.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.simulation.WorkflowWorker;
import org.junit.jupiter.api.AfterEach;

/** A blue/green deployment whose transitions break no rule, whatever becomes of them. */
abstract class TransitionRig {

  static final ModelSpec NEXT = ModelSpec.FIRST.image(2);

  private final WorkflowWorker workflows =
      new WorkflowWorker(TransitionWorkflow.class, DeleteBlueGreenWorkflow.class);
  final BlueGreenModel model = new BlueGreenModel();
  final BlueGreenLane lane = new BlueGreenLane(workflows, model, "orders");

  @AfterEach
  void noRuleIsBroken() {
    workflows.close();
    assertThat(model.violations).isEmpty();
  }

  final long count(String step) {
    return model.steps.stream().filter(step::equals).count();
  }
}
