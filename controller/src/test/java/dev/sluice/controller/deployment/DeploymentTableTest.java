package dev.sluice.controller.deployment;

import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ReconcileAction.EnsureOpen;
import dev.sluice.controller.operation.ReconcileAction.Signal;
import dev.sluice.controller.support.Golden;
import dev.sluice.workflows.operation.OperationInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is decided for a FlinkDeployment, and what its status says. */
class DeploymentTableTest {

  private static final String MESSAGES = " messages";

  @Test
  void decisions_and_statuses() throws IOException {
    Golden.check("deployments.txt", DeploymentTableTest::outcome);
  }

  /** The number of TaskManagers in standalone mode. */
  @Test
  void task_managers() throws IOException {
    Golden.check(
        "taskmanagers.txt",
        given ->
            List.of(
                InPlaceChanges.wantedTaskManagers(DeployedWords.of(given).snapshot()).toString()));
  }

  private static List<String> outcome(String given) {
    boolean all = given.endsWith(MESSAGES);
    SeenDeployment seen =
        DeployedWords.of(all ? given.substring(0, given.length() - MESSAGES.length()) : given)
            .snapshot();
    ReconcileAction decision = JobPlanner.decide(seen);
    FlinkDeploymentStatus status = Deployed.PROJECTION.project(seen, decision);
    List<String> lines = new ArrayList<>();
    lines.add(
        Stream.of(
                DecisionText.of(decision) + run(decision),
                seen.phase(),
                status.conditions().stream()
                    .map(it -> it.getStatus() + "/" + it.getReason())
                    .collect(Collectors.joining(" ")),
                status.lifecycleState(),
                status.jobManagerDeploymentStatus(),
                status.jobStatus() == null ? "no job" : status.jobStatus().state())
            .map(Object::toString)
            .collect(Collectors.joining(" | ")));
    if (all) {
      Golden.messages(status.conditions(), status.error()).forEach(lines::add);
      Stream.concat(
              DeploymentEvents.of(seen, status).stream(), DeploymentEvents.problems(seen).stream())
          .map(it -> (it.warning() ? "Warning " : "Normal ") + it.reason() + ": " + it.message())
          .forEach(lines::add);
    }
    return lines;
  }

  /** Whether a person asked for the run, and what loss it is for. */
  private static String run(ReconcileAction decision) {
    NewRun run =
        decision instanceof EnsureOpen start
            ? start.run()
            : decision instanceof Signal signal ? signal.otherwise() : null;
    if (run == null) {
      return "";
    }
    OperationInput input = run.input();
    return (input.retry() ? ", by request" : "")
        + (input.recovery() == null
            ? ""
            : ", because " + input.why() + " (" + input.recovery() + ")")
        + (input.seenUnhealthy() == null ? "" : " " + input.seenUnhealthy());
  }
}
