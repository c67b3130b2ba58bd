package dev.sluice.workflows.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The simulation does with a workflow what Temporal does. */
class SimulatedTemporalTest {

  private static final AtomicInteger STARTS = new AtomicInteger();

  private final List<String> calls = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private final WorkflowWorker workflows = new WorkflowWorker(SampleWorkflow.class);
  private UnaryOperator<String> activity = what -> "seen " + what;
  private final ActivityWorker activities = new ActivityWorker((Looking) this::look, Looking.class);
  private final SimulatedTemporal temporal =
      new SimulatedTemporal(workflows, activities, "sample", ended::add);

  private String look(String what) {
    calls.add(what);
    return activity.apply(what);
  }

  @AfterEach
  void end() {
    workflows.close();
  }

  private void untilClosed() {
    while (temporal.status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
      assertThat(temporal.step()).as("something is due").isTrue();
    }
  }

  @Test
  void aRunCallsItsActivityAndCompletes() {
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
    assertThat(calls).containsExactly("look");
  }

  @Test
  void anActivityThatFailsIsTriedAgain() {
    activity =
        what -> {
          if (calls.size() < 3) {
            throw ApplicationFailure.newFailure("away", "Away");
          }
          return what;
        };
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(calls).hasSize(3);
  }

  /** Pauses of 1, 2, 4 and 8 s fit into 20 s, the next one does not. */
  @Test
  void anActivityIsGivenUpWhenAllItsTimeIsOver() {
    activity =
        what -> {
          throw ApplicationFailure.newFailure("away", "Away");
        };
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(calls).hasSize(5);
    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
  }

  @Test
  void aFailureThatIsPermanentIsNotTriedAgain() {
    activity =
        what -> {
          throw ApplicationFailure.newNonRetryableFailure("refused", "Refused");
        };
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(calls).hasSize(1);
  }

  @Test
  void aWaitEndsWithItsSignal() {
    temporal.signalWithStart("Sample", "wait", "note", "hello");
    temporal.settle();
    assertThat(temporal.query("notes", Integer.class)).isEqualTo(1);

    temporal.signal("note", "go");
    temporal.settle();

    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }

  @Test
  void aWaitEndsWhenItsTimeIsOver() {
    temporal.signalWithStart("Sample", "wait", "note", "hello");

    untilClosed();

    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }

  @Test
  void anActivityInFlightLearnsThatItWasCancelled() {
    List<Boolean> unwanted = new ArrayList<>();
    activity =
        what -> {
          unwanted.add(temporal.isActivityUnwanted());
          temporal.signal("note", "leave");
          temporal.settle();
          unwanted.add(temporal.isActivityUnwanted());
          return what;
        };
    temporal.signalWithStart("Sample", "leave", "note", "hello");

    untilClosed();

    assertThat(unwanted).containsExactly(false, true);
  }

  @Test
  void theNextRunTakesThePlaceOfTheOneThatHandsOver() {
    temporal.signalWithStart("Sample", "again", "note", "hello");
    String first = temporal.runId();

    untilClosedForGood();

    assertThat(temporal.runId()).isNotEqualTo(first);
    assertThat(calls).containsExactly("look");
  }

  private void untilClosedForGood() {
    while (temporal.step()) {
      // to the end
    }
    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }

  @Test
  void aRunWhoseWorkerIsLostIsReplayed() {
    activity =
        what -> {
          temporal.forget();
          return what;
        };
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(calls).hasSize(1);
    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
  }

  @Test
  void aRunThatIsResetGoesOnFromThere() {
    temporal.signalWithStart("Sample", "look", "note", "hello");
    untilClosed();

    temporal.reset(ended.get(0), temporal.resetPoints(ended.get(0)).get(0), true);
    untilClosed();

    assertThat(calls).hasSize(2);
    assertThat(ended).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void theSignalsAfterTheResetPointAreSentAgainUnlessTheyAreLeftOut() {
    temporal.signalWithStart("Sample", "wait", "note", "hello");
    temporal.settle();
    temporal.signal("note", "go");
    temporal.settle();
    String run = ended.get(0);

    temporal.reset(run, temporal.resetPoints(run).get(0), true);
    temporal.settle();
    assertThat(ended).hasSize(2);

    temporal.reset(run, temporal.resetPoints(run).get(0), false);
    temporal.settle();
    assertThat(ended).hasSize(2);
  }

  @Test
  void codeThatDoesNotDoTheSameAgainIsFoundOut() {
    activity =
        what -> {
          temporal.forget();
          return what;
        };
    temporal.signalWithStart("Sample", "different", "note", "hello");

    assertThatThrownBy(this::untilClosed).hasMessageContaining("the workflow task failed");
  }

  @Test
  void whatIsTerminatedDoesNothingMore() {
    activity =
        what -> {
          assertThat(temporal.terminate()).isTrue();
          return what;
        };
    temporal.signalWithStart("Sample", "look", "note", "hello");

    untilClosed();

    assertThat(temporal.step()).isFalse();
    assertThat(temporal.status())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED);
  }

  @ActivityInterface
  public interface Looking {
    @ActivityMethod(name = "Look")
    String look(String what);
  }

  @WorkflowInterface
  public interface Sample {
    @WorkflowMethod(name = "Sample")
    String run(String what);

    @SignalMethod(name = "note")
    void note(String text);

    @QueryMethod(name = "notes")
    int notes();
  }

  /** Does what it is told by its input. */
  public static final class SampleWorkflow implements Sample {

    private final Looking looking =
        Workflow.newActivityStub(
            Looking.class,
            ActivityOptions.newBuilder()
                .setScheduleToCloseTimeout(Duration.ofSeconds(20))
                .setRetryOptions(
                    RetryOptions.newBuilder().setInitialInterval(Duration.ofSeconds(1)).build())
                .build());
    private int notes;

    @Override
    public String run(String what) {
      return switch (what) {
        case "wait" -> String.valueOf(Workflow.await(Duration.ofHours(1), () -> notes > 1));
        case "leave" -> leave();
        case "again" -> {
          Workflow.continueAsNew("look");
          yield "";
        }
        case "different" -> {
          if (STARTS.incrementAndGet() % 2 == 0) {
            Workflow.sleep(Duration.ofSeconds(1));
          }
          yield looking.look(what);
        }
        default -> looking.look(what);
      };
    }

    private String leave() {
      List<Promise<String>> promises = new ArrayList<>();
      CancellationScope scope =
          Workflow.newCancellationScope(
              () -> promises.add(Async.function(looking::look, "something")));
      scope.run();
      Workflow.await(() -> notes > 1 || promises.get(0).isCompleted());
      scope.cancel();
      try {
        return promises.get(0).get();
      } catch (ActivityFailure left) {
        return left.getCause() instanceof CanceledFailure ? "left" : "failed";
      }
    }

    @Override
    public void note(String text) {
      notes++;
    }

    @Override
    public int notes() {
      return notes;
    }
  }
}
