package dev.sluice.controller.deployment;

import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ClusterProblem;
import java.util.List;

/** The events of what is wrong with the pods of a cluster. Pure. */
final class ProblemEvents {

  private ProblemEvents() {}

  /**
   * All that there is to tell, also what was told before: each is dated, and so told once. One for
   * each reason and kind of process, on which others are counted: a TaskManager that does not start
   * is replaced again and again.
   */
  static List<StatusEvent> of(DeploymentSnapshot snapshot) {
    return snapshot.phase() == DeploymentPhase.DELETING
        ? List.of()
        : snapshot.observed().cluster().health().problems().stream()
            .filter(problem -> counts(problem, snapshot.phase()))
            .map(
                problem ->
                    StatusEvent.observed(
                        problem.reason(),
                        problem.message(),
                        problem.component().word(),
                        List.of(problem.at())))
            .toList();
  }

  /** That there is no node yet is usual while a cluster is made; the operation says so, too. */
  private static boolean counts(ClusterProblem problem, DeploymentPhase phase) {
    return !phase.inFlight() || !problem.reason().equals(Reasons.UNSCHEDULABLE);
  }
}
