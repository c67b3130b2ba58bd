package dev.sluice.worker;

import dev.sluice.activities.async.TemporalWatcher;
import dev.sluice.activities.cluster.ClusterActivitiesImpl;
import dev.sluice.activities.cluster.ClusterInformers;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.activities.job.JobActivitiesImpl;
import dev.sluice.activities.job.LocalSavepointDirectory;
import dev.sluice.activities.resource.ResourceActivitiesImpl;
import dev.sluice.bootstrap.ExitCode;
import dev.sluice.bootstrap.HealthCheck;
import dev.sluice.bootstrap.HealthServer;
import dev.sluice.bootstrap.Metrics;
import dev.sluice.bootstrap.ProcessLifecycle;
import dev.sluice.bootstrap.ProcessSettings;
import dev.sluice.bootstrap.Settings;
import dev.sluice.bootstrap.SluiceProcess;
import dev.sluice.bootstrap.TemporalConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.Tags;
import io.temporal.worker.WorkerFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The worker process. Temporal, Kubernetes and Flink may all be away when it starts; a wrong
 * configuration ends it at once. Ends with the codes of {@link ExitCode}.
 */
public final class WorkerMain {

  private static final int TEMPORAL_CALLS = 4;
  private static final int BACKGROUND_CALLS = 4;

  private WorkerMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] args) throws InterruptedException {
    SluiceProcess.run(args, WorkerMain::start);
  }

  private static void start(
      Settings settings,
      ProcessSettings common,
      Map<String, String> env,
      ProcessLifecycle lifecycle)
      throws Exception {
    WorkerSettings worker = WorkerSettings.from(settings);
    settings.check();
    Metrics metrics = new Metrics();
    lifecycle.onEnd("metrics", metrics);
    TemporalConnection temporal =
        TemporalConnection.of(env, common.temporalRpcTimeout(), metrics.temporalScope());
    lifecycle.onEnd("Temporal", temporal);
    KubernetesClient kubernetes = KubernetesConnection.open();
    lifecycle.onEnd("Kubernetes", kubernetes);
    OkHttpFlinkRest flink = new OkHttpFlinkRest(FlinkRestOptions.defaults());
    metrics
        .registry()
        .more()
        .counter("sluice.flink.requests", Tags.empty(), flink, OkHttpFlinkRest::calls);
    lifecycle.onEnd("Flink", flink);
    ExecutorService background = background();
    lifecycle.onEnd("background calls", background::shutdownNow);
    TemporalWatcher watcher =
        new TemporalWatcher(temporal.client().newActivityCompletionClient(), TEMPORAL_CALLS);
    lifecycle.onEnd("watcher", watcher);
    metrics.registry().gauge("sluice.waits.open", watcher, TemporalWatcher::open);
    ClusterInformers clusters =
        ClusterInformers.start(kubernetes, worker.namespaces(), watcher::wake);
    lifecycle.onEnd("informers", clusters);
    WorkerFactory factory =
        TemporalWorker.create(
            temporal, worker, activities(kubernetes, clusters, flink, watcher, background));
    TemporalStart start =
        new TemporalStart(
            temporal.display(),
            worker.startRetry(),
            () -> {
              attributes(temporal, common).ensure();
              factory.start();
            });
    HealthServer http =
        HealthServer.start(
            common.httpAddress(),
            common.httpPort(),
            List.of(),
            List.of(start.check(), new HealthCheck("kubernetes", clusters::problem)),
            metrics);
    lifecycle.onEnd("http", http);
    lifecycle.onEnd("worker", () -> drain(factory, watcher, common.drainTimeout()));
    lifecycle.onEnd("start", start);
    start.begin();
    LoggerFactory.getLogger(WorkerMain.class)
        .info(
            "polls task queue {} of Temporal at {}, Kubernetes at {}, health on {}:{}",
            worker.taskQueue(),
            temporal.display(),
            kubernetes.getMasterUrl(),
            common.httpAddress(),
            http.port());
  }

  private static List<Object> activities(
      KubernetesClient kubernetes,
      ClusterInformers clusters,
      FlinkRest flink,
      TemporalWatcher watcher,
      ExecutorService background) {
    Clock clock = Clock.systemUTC();
    return List.of(
        new ResourceActivitiesImpl(kubernetes, clusters, flink, watcher, clock),
        new JobActivitiesImpl(
            kubernetes, clusters, flink, new LocalSavepointDirectory(), watcher, background, clock),
        new ClusterActivitiesImpl(kubernetes, clusters, flink, watcher, background, clock));
  }

  private static SearchAttributeRegistration attributes(
      TemporalConnection temporal, ProcessSettings common) {
    return new SearchAttributeRegistration(
        temporal.stubs(),
        temporal.client().getOptions().getNamespace(),
        common.temporalRpcTimeout());
  }

  /** No new work, then the waits go to other workers, then short effects may end. */
  private static void drain(WorkerFactory factory, TemporalWatcher watcher, Duration atMost) {
    Duration half = atMost.dividedBy(2);
    factory.shutdown();
    watcher.handOver(half);
    factory.awaitTermination(half.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static ExecutorService background() {
    return Executors.newFixedThreadPool(
        BACKGROUND_CALLS,
        task -> {
          Thread thread = new Thread(task, "background");
          thread.setDaemon(true);
          return thread;
        });
  }
}
