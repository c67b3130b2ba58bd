package dev.sluice.workflows.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.OperationProgress.Generations;
import dev.sluice.workflows.operation.OperationProgress.Held;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurrentDetailsTest {

  private final CurrentDetails details =
      new CurrentDetails(
          new ResourceRef("k8s", "FlinkDeployment", "default", "orders", "0a1b2c3d-9"));

  private static final OperationProgress RUNNING =
      new OperationProgress(
          "Upgrade",
          "default/orders",
          new Generations(6L, 7),
          List.of("generation 7 frozen"),
          "stop job 5f with a savepoint",
          "2026-11-21T10:15:03Z",
          null,
          null,
          null,
          List.of());

  private static final Held PARKED =
      new Held(false, "JobFailed", "main threw: no such topic", "Job 5f is FAILED.", true, true);

  @Test
  void showsTheStepInFlightFirst() {
    assertThat(details.render(RUNNING))
        .isEqualTo(
            """
            ### upgrade `default/orders` 6 -> 7

            **Now: stop job 5f with a savepoint**, times out at 2026-11-21T10:15:03Z

            Done:

            - generation 7 frozen
            """);
  }

  @Test
  void saysAtAParkedStepWhatFailedAndWhatToDo() {
    OperationProgress progress =
        RUNNING.withHeld(PARKED).withDone(List.of()).withState("s3://state/savepoint-1");

    assertThat(details.render(progress))
        .isEqualTo(
            """
            ### upgrade `default/orders` 6 -> 7

            **Parked at: stop job 5f with a savepoint**

            **Action required.** JobFailed: main threw: no such topic

            Job 5f is FAILED.

            | to | do |
            |---|---|
            | try again now | signal `retry`, or `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/retry="$(date +%s)"` |
            | choose what to start from (`recorded`, `empty`, or a path), and try again | `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/retry="$(date +%s)" sluice.dev/restore-from=<choice>` |
            | give it up | signal `abort`, or `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/abort="$(date +%s)"` |
            | continue with a corrected spec | change the resource |

            State: `s3://state/savepoint-1`
            """);
  }

  @Test
  void offersOnlyWhatCanBeDone() {
    Held blocked = new Held(true, "Refused", "quota", "No job was started yet.", false, false);

    assertThat(details.render(RUNNING.withHeld(blocked)))
        .contains("**Blocked at: ", "Retries automatically. Refused: quota")
        .doesNotContain("signal `abort`", "restore-from");
  }

  @Test
  void showsWhatWasAskedForAndWhatFailedBefore() {
    OperationProgress progress =
        RUNNING
            .withGenerations(new Generations(null, 1))
            .withRequests(List.of("abort: no"))
            .withFailed("ImagePullFailed: no such image");

    assertThat(details.render(progress))
        .startsWith("### upgrade `default/orders` generation 1")
        .contains(
            "Requested, takes effect at the next safe point: abort: no",
            "\n\nTrying again after: ImagePullFailed: no such image\n");
  }
}
