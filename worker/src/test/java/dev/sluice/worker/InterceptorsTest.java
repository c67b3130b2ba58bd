package dev.sluice.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InterceptorsTest {

  private TestWorkflowEnvironment temporal;

  @BeforeEach
  void start() {
    SeenCalls.RESOURCES.clear();
    temporal =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(Interceptors.all())
                        .build())
                .build());
    Worker worker = temporal.newWorker("test");
    worker.registerWorkflowImplementationTypes(AskImpl.class);
    worker.registerActivitiesImplementations((Answer) () -> "yes");
    temporal.start();
  }

  @AfterEach
  void stop() {
    temporal.close();
  }

  @Test
  void interceptorsOnTheClassPathSeeEveryActivityWithTheResourceInTheLogContext() {
    run("FlinkDeployment_default_orders_11111111");

    assertThat(SeenCalls.RESOURCES).containsOnly("default/orders");
  }

  @Test
  void aWorkflowThatIsNoLaneHasNoResource() {
    run("something-else");

    assertThat(SeenCalls.RESOURCES).containsOnly("null/null");
  }

  private void run(String workflowId) {
    temporal
        .getWorkflowClient()
        .newWorkflowStub(
            Ask.class,
            WorkflowOptions.newBuilder().setTaskQueue("test").setWorkflowId(workflowId).build())
        .ask();
  }

  /** A workflow with one activity. */
  @WorkflowInterface
  public interface Ask {
    @WorkflowMethod
    String ask();
  }

  /** The activity. */
  @ActivityInterface
  public interface Answer {
    String answer();
  }

  /** Asks. */
  public static final class AskImpl implements Ask {
    @Override
    public String ask() {
      return Workflow.newActivityStub(
              Answer.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build())
          .answer();
    }
  }
}
