package dev.sluice.bootstrap;

import com.uber.m3.tally.Scope;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.envconfig.LoadClientConfigProfileOptions;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The connection to Temporal, configured as all of its tools are: {@code TEMPORAL_ADDRESS}, {@code
 * TEMPORAL_NAMESPACE}, {@code TEMPORAL_API_KEY}, {@code TEMPORAL_TLS...}, {@code TEMPORAL_PROFILE}
 * and its configuration file. It is lazy: making it needs no server.
 */
public final class TemporalConnection implements AutoCloseable {

  /** How long at most the connection stays away once Temporal is back. */
  private static final Duration RECONNECT = Duration.ofSeconds(2);

  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final WorkflowServiceStubs stubs;
  private final WorkflowClient client;
  private final String address;

  private TemporalConnection(WorkflowServiceStubs stubs, WorkflowClient client, String address) {
    this.stubs = stubs;
    this.client = client;
    this.address = address;
  }

  /**
   * Prepares the connection.
   *
   * @param environment the process's
   * @param rpcTimeout for each call that is not a long poll
   * @param patience for how long a call that is not answered is tried again
   * @throws ConfigurationException when Temporal's own configuration is wrong
   */
  public static TemporalConnection of(
      Map<String, String> environment, Duration rpcTimeout, Duration patience, Scope metrics) {
    ClientConfigProfile profile = profile(environment);
    WorkflowServiceStubsOptions options;
    try {
      options =
          WorkflowServiceStubsOptions.newBuilder(profile.toWorkflowServiceStubsOptions())
              .setRpcTimeout(rpcTimeout)
              .setSystemInfoTimeout(rpcTimeout)
              .setRpcRetryOptions(RpcRetryOptions.newBuilder().setExpiration(patience).build())
              .setConnectionBackoffResetFrequency(RECONNECT)
              .addGrpcClientInterceptor(new PollsWaitForConnection())
              .setMetricsScope(metrics)
              .build();
    } catch (RuntimeException wrong) {
      throw wrong(wrong);
    }
    WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(options);
    WorkflowClientOptions client = profile.toWorkflowClientOptions();
    return new TemporalConnection(
        stubs,
        WorkflowClient.newInstance(stubs, client),
        Objects.requireNonNullElse(options.getTarget(), "127.0.0.1:7233"));
  }

  private static ClientConfigProfile profile(Map<String, String> environment) {
    try {
      return ClientConfigProfile.load(
          LoadClientConfigProfileOptions.newBuilder().setEnvOverrides(environment).build());
    } catch (IOException | RuntimeException wrong) {
      throw wrong(wrong);
    }
  }

  private static ConfigurationException wrong(Exception wrong) {
    return new ConfigurationException(
        List.of(
            "TEMPORAL_*: "
                + wrong.getMessage()
                + "; allowed is what Temporal's own tools take, see"
                + " https://docs.temporal.io/references/client-environment-configuration"));
  }

  /** To start, signal, query and describe, and to make workers. */
  public WorkflowClient client() {
    return client;
  }

  /** The raw services. */
  public WorkflowServiceStubs stubs() {
    return stubs;
  }

  /** {@code address (namespace x)}, for messages. */
  public String display() {
    return address + " (namespace " + client.getOptions().getNamespace() + ")";
  }

  /**
   * A worker's poll that finds no connection waits for the next one. If it failed, the worker would
   * back off, for up to a minute, and would not notice that Temporal is back.
   */
  private static final class PollsWaitForConnection implements ClientInterceptor {

    private static final String POLL = "Poll";

    @Override
    public <Q, S> ClientCall<Q, S> interceptCall(
        MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
      boolean poll =
          method.getBareMethodName() != null && method.getBareMethodName().startsWith(POLL);
      return next.newCall(method, poll ? options.withWaitForReady() : options);
    }
  }

  @Override
  public void close() {
    stubs.shutdownNow();
    stubs.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS);
  }
}
