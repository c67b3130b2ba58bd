package dev.sluice.controller.deployment;

import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ClusterProblem;
import dev.sluice.controller.observation.FailedCheckpoints;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.operation.ResourcePhase;
import java.util.List;
import java.util.stream.Stream;

/** The events of what is wrong with the pods of a cluster, or with its checkpoints. Pure. */
final class ProblemEvents {

  private ProblemEvents() {}

  /**
   * All that there is to tell, also what was told before: each is dated, and so told once. One for
   * each reason and kind of process, on which others are counted: a TaskManager that does not start
   * is replaced again and again.
   */
  static List<StatusEvent> of(SeenDeployment snapshot) {
    return snapshot.phase() == ResourcePhase.DELETING
        ? List.of()
        : Stream.concat(ofPods(snapshot), ofCheckpoints(snapshot)).toList();
  }

  private static Stream<StatusEvent> ofPods(SeenDeployment snapshot) {
    return snapshot.observed().cluster().health().problems().stream()
        .filter(problem -> counts(problem, snapshot.phase()))
        .map(
            problem ->
                StatusEvent.observed(
                    problem.reason(),
                    problem.message(),
                    problem.component().word(),
                    List.of(problem.at())));
  }

  private static Stream<StatusEvent> ofCheckpoints(SeenDeployment snapshot) {
    return snapshot.observed().job() instanceof Answered answered
        ? answered.failedCheckpoints().stream().map(ProblemEvents::failedCheckpoints)
        : Stream.empty();
  }

  private static StatusEvent failedCheckpoints(FailedCheckpoints failed) {
    String restored =
        failed
            .completedAt()
            .map(at -> "If the job fails it goes back to the state of " + at + ".")
            .or(
                () ->
                    failed
                        .restoredFrom()
                        .map(path -> "If the job fails it goes back to " + path + "."))
            .orElse("Its JobManager knows of no completed checkpoint.");
    return StatusEvent.observed(
        EventReasons.CHECKPOINT_ERROR,
        "The last %d checkpoints of job %s failed: %s. %s"
            .formatted(failed.at().size(), failed.jobId(), failed.why(), restored),
        failed.jobId(),
        failed.at());
  }

  /** That there is no node yet is usual while a cluster is made; the operation says so, too. */
  private static boolean counts(ClusterProblem problem, ResourcePhase phase) {
    return !phase.inFlight() || !problem.reason().equals(Reasons.UNSCHEDULABLE);
  }
}
