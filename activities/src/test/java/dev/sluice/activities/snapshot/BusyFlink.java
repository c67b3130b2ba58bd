package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation.Retention;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Any number of JobManagers, each with one job, whose savepoints take a moment. */
final class BusyFlink implements InvocationHandler {

  private static final long SAVEPOINT_MS = 150;
  private static final JobOverview JOB =
      new JobOverview(
          FakeFlink.JOB,
          "orders",
          FlinkJobState.RUNNING,
          "RUNNING",
          new JobOverview.Times(Instant.EPOCH, Optional.empty(), Instant.EPOCH),
          FakeFlink.tasks(8, 0, 0));

  /** Savepoints by cluster and trigger id. */
  final Map<String, CompletableFuture<String>> savepoints = new ConcurrentHashMap<>();

  /** Until then no savepoint ends. */
  final CompletableFuture<Boolean> released = new CompletableFuture<>();

  /** The trigger ids that were asked for. */
  final Set<String> asked = ConcurrentHashMap.newKeySet();

  /** The clusters on which savepoints were taken. */
  final Set<ClusterRef> clusters = ConcurrentHashMap.newKeySet();

  /** The most that were in progress at a time, of all clusters. */
  final AtomicInteger most = new AtomicInteger();

  /** The paths that were disposed of. */
  final Set<String> disposed = ConcurrentHashMap.newKeySet();

  /** How often the jobs of all clusters were asked for. */
  final AtomicInteger overviews = new AtomicInteger();

  private final AtomicInteger inProgress = new AtomicInteger();

  FlinkRest rest() {
    return (FlinkRest)
        Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {FlinkRest.class}, this);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) {
    return switch (method.getName()) {
      case "jobsOverview" -> {
        overviews.incrementAndGet();
        yield CompletableFuture.completedFuture(new JobsOverview(List.of(JOB)));
      }
      case "checkpoints" -> CompletableFuture.completedFuture(Optional.empty());
      case "checkpointSettings" ->
          CompletableFuture.completedFuture(
              Optional.of(new CheckpointSettings(Retention.RETAINED, Duration.ofMinutes(7))));
      case "savepointStatus" ->
          CompletableFuture.completedFuture(status((Endpoint) args[0], (String) args[2]));
      case "triggerSavepoint" ->
          CompletableFuture.completedFuture(trigger((Endpoint) args[0], (String) args[2]));
      case "disposeSavepoint" -> {
        disposed.add((String) args[1]);
        yield CompletableFuture.completedFuture(new Triggered((String) args[1]));
      }
      case "disposalStatus" -> CompletableFuture.completedFuture(new DisposalOperation.Completed());
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  private SavepointOperation status(Endpoint cluster, String trigger) {
    asked.add(trigger);
    CompletableFuture<String> savepoint = savepoints.get(cluster + "/" + trigger);
    if (savepoint == null) {
      return new SavepointOperation.Unknown();
    }
    return savepoint.isDone()
        ? new SavepointOperation.Completed(savepoint.join())
        : new SavepointOperation.InProgress();
  }

  private Triggered trigger(Endpoint endpoint, String trigger) {
    clusters.add(endpoint.cluster());
    CompletableFuture<String> unused =
        savepoints.computeIfAbsent(
            endpoint + "/" + trigger,
            key -> {
              int now = inProgress.incrementAndGet();
              int highest = most.accumulateAndGet(now, Math::max);
              return released
                  .thenCompose(go -> later("file:/savepoints/" + trigger))
                  .whenComplete((path, failed) -> inProgress.decrementAndGet());
            });
    return new Triggered(trigger);
  }

  private static CompletableFuture<String> later(String path) {
    return new CompletableFuture<String>()
        .completeOnTimeout(path, SAVEPOINT_MS, TimeUnit.MILLISECONDS);
  }
}
