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

  @Test
  void showsWhatIsDoneAndWhatIsInFlight() {
    OperationProgress progress =
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

    assertThat(details.render(progress))
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
        new OperationProgress(
            "Upgrade",
            "default/orders",
            new Generations(6L, 7),
            List.of(),
            "wait until every task runs",
            null,
            new Held(
                false, "JobFailed", "main threw: no such topic", "Job 5f is FAILED.", true, true),
            "JobFailed: main threw: no such topic",
            "s3://state/savepoint-1",
            List.of());

    assertThat(details.render(progress))
        .isEqualTo(
            """
            ### upgrade `default/orders` 6 -> 7

            **Parked at: wait until every task runs**

            **Action required.** JobFailed: main threw: no such topic

            Job 5f is FAILED.

            | to | do |
            |---|---|
            | try again | signal `retry`, or `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/retry="$(date +%s)"` |
            | choose what to start from (`recorded`, `empty`, or a path), and try again | `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/retry="$(date +%s)" sluice.dev/restore-from=<choice>` |
            | go back | signal `abort`, or `kubectl annotate --overwrite -n default flinkdeployment orders sluice.dev/abort="$(date +%s)"` |
            | continue with a corrected spec | change the resource |

            State: `s3://state/savepoint-1`
            """);
  }

  @Test
  void doesNotOfferToAbortARollback() {
    OperationProgress progress =
        new OperationProgress(
            "Rollback",
            "default/orders",
            new Generations(null, 7),
            List.of(),
            "create",
            null,
            new Held(true, "Refused", "quota", "No job was started yet.", false, false),
            "Refused: quota",
            null,
            List.of());

    assertThat(details.render(progress)).doesNotContain("signal `abort`");
  }

  @Test
  void showsWhatWasAskedForAndIsNotYetDone() {
    OperationProgress progress =
        new OperationProgress(
            "Deploy",
            "default/orders",
            new Generations(null, 1),
            List.of(),
            "freeze generation 1",
            null,
            null,
            null,
            null,
            List.of("abort: no"));

    assertThat(details.render(progress))
        .contains(
            "Requested, takes effect at the next safe point: abort: no",
            "**Now: freeze generation 1**\n")
        .startsWith("### deploy `default/orders` generation 1");
  }

  /** A wait may take minutes; why it is there again must be seen meanwhile. */
  @Test
  void saysWhatFailedBeforeWhileItTriesAgain() {
    OperationProgress progress =
        new OperationProgress(
            "Deploy",
            "default/orders",
            new Generations(null, 1),
            List.of(),
            "wait until every task runs",
            "2026-11-21T10:15:03Z",
            null,
            "ImagePullFailed: no such image",
            null,
            List.of());

    assertThat(details.render(progress))
        .contains("\n\nTrying again after: ImagePullFailed: no such image\n");
  }
}
