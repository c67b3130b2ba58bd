package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InterceptorsTest {

  private static final String OURS = "kubernetes-1";

  /** The activity is asked with the reference and nothing around it. */
  private static final String ALONE = "alone ";

  private final AtomicInteger calls = new AtomicInteger();
  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void start() {
    SeenCalls.RESOURCES.clear();
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(Interceptors.all(OURS))
                        .build())
                .build());
    Worker worker = temporal.newWorker("test");
    worker.registerWorkflowImplementationTypes(AskImpl.class);
    worker.registerActivitiesImplementations(new AnswerImpl(calls));
    temporal.start();
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void interceptorsOnTheClassPathSeeEveryActivityWithTheResourceInTheLogContext() {
    run("FlinkDeployment_default_orders_11111111", OURS);

    assertThat(SeenCalls.RESOURCES).containsOnly("default/orders");
  }

  @Test
  void aWorkflowThatIsNoLaneHasNoResource() {
    run("something-else", OURS);

    assertThat(SeenCalls.RESOURCES).containsOnly("null/null");
  }

  @Test
  void anActivityForThisKubernetesIsCarriedOut() {
    assertThat(run("lane", OURS)).isEqualTo("yes");
  }

  /** Retryable, so that a worker of the right cluster may take it. */
  @Test
  void anActivityForAnotherKubernetesIsNotCarriedOut() {
    assertThatThrownBy(() -> run("lane", "kubernetes-2"))
        .isInstanceOf(WorkflowException.class)
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.WRONG_KUBERNETES);
              assertThat(failure.isNonRetryable()).isFalse();
              assertThat(failure.getOriginalMessage())
                  .isEqualTo(
                      "This worker serves Kubernetes cluster kubernetes-1; the request is for"
                          + " FlinkDeployment default/orders on Kubernetes cluster kubernetes-2");
            });
    assertThat(calls).hasValue(0);
  }

  @Test
  void anActivityThatDoesNotSayForWhichResourceIsNotCarriedOut() {
    assertThatThrownBy(() -> run("lane", null))
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.WRONG_KUBERNETES));
    assertThat(calls).hasValue(0);
  }

  @Test
  void aResourceAloneSaysForWhichKubernetesItIs() {
    assertThat(run("lane", ALONE + OURS)).isEqualTo("yes");
    assertThatThrownBy(() -> run("lane-2", ALONE + "kubernetes-2"))
        .rootCause()
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.WRONG_KUBERNETES));
    assertThat(calls).hasValue(1);
  }

  private String run(String workflowId, String kubernetes) {
    return temporal
        .getWorkflowClient()
        .newWorkflowStub(
            Ask.class,
            WorkflowOptions.newBuilder().setTaskQueue("test").setWorkflowId(workflowId).build())
        .ask(kubernetes);
  }

  /** A workflow with one activity. */
  @WorkflowInterface
  public interface Ask {
    @WorkflowMethod
    String ask(String kubernetes);
  }

  /** The activities. */
  @ActivityInterface
  public interface Answer {
    String answer(Question question);

    String answerAnybody(String question);

    String answerAlone(ResourceRef resource);
  }

  /** A request as those of Sluice. */
  public record Question(ResourceRef resource) implements ResourceRequest {}

  /** Asks. */
  public static final class AskImpl implements Ask {
    @Override
    public String ask(String kubernetes) {
      Answer answer =
          Workflow.newActivityStub(
              Answer.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofMinutes(1))
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                  .build());
      if (kubernetes == null) {
        return answer.answerAnybody("who are you?");
      }
      return kubernetes.startsWith(ALONE)
          ? answer.answerAlone(orders(kubernetes.substring(ALONE.length())))
          : answer.answer(new Question(orders(kubernetes)));
    }

    private static ResourceRef orders(String kubernetes) {
      return new ResourceRef(kubernetes, "FlinkDeployment", "default", "orders", "uid");
    }
  }

  private record AnswerImpl(AtomicInteger calls) implements Answer {
    @Override
    public String answer(Question question) {
      calls.incrementAndGet();
      return "yes";
    }

    @Override
    public String answerAlone(ResourceRef resource) {
      calls.incrementAndGet();
      return "yes";
    }

    @Override
    public String answerAnybody(String question) {
      calls.incrementAndGet();
      return "yes";
    }
  }
}
