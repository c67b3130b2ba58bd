package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.controller.operation.ResourcePhase;
import java.util.Optional;

/** How many TaskManagers the Deployment is to have that makes them. Pure. */
final class WantedTaskManagers {

  private WantedTaskManagers() {}

  /**
   * As many as the newest spec asks for, also where the rest of it was given up; empty where their
   * number is not to be changed. While an operation is at work it stays: a savepoint would fail
   * when TaskManagers go. That of a job which has ended stays, too: it uses none.
   */
  static Optional<Integer> of(SeenDeployment seen) {
    FrozenSpec frozen = seen.check().frozen();
    ResourcePhase phase = seen.phase();
    boolean idle = phase == ResourcePhase.SETTLED || phase == ResourcePhase.GIVEN_UP;
    FlinkDeploymentSpec newest = seen.resource().getSpec();
    return frozen != null && idle && scale(frozen, newest) && !hasEnded(seen)
        ? Optional.of(TaskManagerScaling.taskManagers(frozen, newest))
        : Optional.empty();
  }

  private static boolean scale(FrozenSpec frozen, FlinkDeploymentSpec newest) {
    return TaskManagerScaling.scales(frozen.spec()) && TaskManagerScaling.scales(newest);
  }

  private static boolean hasEnded(SeenDeployment seen) {
    return seen.job()
        .map(job -> job.state().isGloballyTerminal())
        .orElseGet(() -> seen.hasFinished() || seen.endedAs().isPresent());
  }
}
