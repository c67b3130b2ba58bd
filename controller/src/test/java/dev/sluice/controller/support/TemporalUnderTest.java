package dev.sluice.controller.support;

import dev.sluice.workflows.operation.OperationAttributes;
import dev.sluice.workflows.operation.OperationInput;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.sdk.v1.UserMetadata;
import io.temporal.api.workflowservice.v1.SignalWithStartWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.StartWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Temporal's own test server, without a worker: what was started and signalled stands in the
 * histories. It can be made unreachable, which the test server cannot be otherwise.
 */
public final class TemporalUnderTest implements AutoCloseable {

  /** For how long a call that is not answered is tried again. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final TestWorkflowEnvironment environment;
  private final List<String> summaries = new CopyOnWriteArrayList<>();
  private volatile boolean away;

  /** Starts it, with the search attributes that a worker registers. */
  public TemporalUnderTest() {
    environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkflowServiceStubsOptions(
                    WorkflowServiceStubsOptions.newBuilder()
                        .setRpcRetryOptions(
                            RpcRetryOptions.newBuilder().setExpiration(PATIENCE).build())
                        .setGrpcClientInterceptors(List.of(new Outage()))
                        .build())
                .build());
    OperationAttributes.all()
        .forEach(
            key ->
                environment.registerSearchAttribute(
                    key.getName(), IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD));
  }

  /** The client that the controller uses. */
  public WorkflowClient client() {
    return environment.getWorkflowClient();
  }

  /** From now on every call fails as if nobody listened, or no longer. */
  public void away(boolean away) {
    this.away = away;
  }

  /** The newest run on a lane, if there ever was one. */
  public Optional<WorkflowExecutionDescription> run(String lane) {
    try {
      return Optional.of(client().newUntypedWorkflowStub(lane).describe());
    } catch (WorkflowNotFoundException none) {
      return Optional.empty();
    }
  }

  /** The signals of the newest run with their argument: {@code retarget 7}. */
  public List<String> signals(String lane) {
    if (run(lane).isEmpty()) {
      return List.of();
    }
    List<String> signals = new ArrayList<>();
    for (HistoryEvent event : client().fetchHistory(lane).getHistory().getEventsList()) {
      if (event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED) {
        var signal = event.getWorkflowExecutionSignaledEventAttributes();
        String argument =
            signal.getInput().getPayloadsCount() == 0
                ? ""
                : " "
                    + DefaultDataConverter.newDefaultInstance()
                        .fromPayload(signal.getInput().getPayloads(0), Object.class, Object.class);
        signals.add(signal.getSignalName() + argument);
      }
    }
    return signals;
  }

  /** The static summaries of all starts, as they were sent: the test server forgets them. */
  public List<String> summaries() {
    return List.copyOf(summaries);
  }

  private void note(Object message) {
    if (message instanceof SignalWithStartWorkflowExecutionRequest start) {
      note(start.getUserMetadata());
    } else if (message instanceof StartWorkflowExecutionRequest start) {
      note(start.getUserMetadata());
    }
  }

  private void note(UserMetadata metadata) {
    summaries.add(
        DefaultDataConverter.newDefaultInstance()
            .fromPayload(metadata.getSummary(), String.class, String.class));
  }

  /** What the newest run on a lane was started with. */
  public OperationInput input(String lane) {
    return DefaultDataConverter.newDefaultInstance()
        .fromPayload(
            client()
                .fetchHistory(lane)
                .getHistory()
                .getEvents(0)
                .getWorkflowExecutionStartedEventAttributes()
                .getInput()
                .getPayloads(0),
            OperationInput.class,
            OperationInput.class);
  }

  /** The task queue of the newest run on a lane. */
  public String taskQueue(String lane) {
    return client()
        .fetchHistory(lane)
        .getHistory()
        .getEvents(0)
        .getWorkflowExecutionStartedEventAttributes()
        .getTaskQueue()
        .getName();
  }

  /** Ends the run on a lane, as its workflow would. */
  public void end(String lane) {
    client().newUntypedWorkflowStub(lane).terminate("the test says it is done");
  }

  @Override
  public void close() {
    away = false;
    environment.close();
  }

  private final class Outage implements ClientInterceptor {
    @Override
    public <Q, S> ClientCall<Q, S> interceptCall(
        MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<S> listener, Metadata headers) {
          if (away) {
            listener.onClose(Status.UNAVAILABLE.withDescription("nobody listens"), new Metadata());
          } else {
            super.start(listener, headers);
          }
        }

        @Override
        public void request(int messages) {
          if (!away) {
            super.request(messages);
          }
        }

        @Override
        public void sendMessage(Q message) {
          if (!away) {
            note(message);
            super.sendMessage(message);
          }
        }

        @Override
        public void halfClose() {
          if (!away) {
            super.halfClose();
          }
        }
      };
    }
  }
}
