package dev.sluice.worker;

import dev.sluice.activities.flink.RestTls;
import dev.sluice.activities.kubernetes.KubernetesIdentity;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.bootstrap.ExitCode;
import dev.sluice.bootstrap.HealthCheck;
import dev.sluice.bootstrap.HealthServer;
import dev.sluice.bootstrap.Metrics;
import dev.sluice.bootstrap.ProcessLifecycle;
import dev.sluice.bootstrap.ProcessSettings;
import dev.sluice.bootstrap.Settings;
import dev.sluice.bootstrap.SluiceProcess;
import dev.sluice.bootstrap.TemporalConnection;
import dev.sluice.bootstrap.WatchedFile;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The worker process. Temporal, Kubernetes and Flink may all be away when it starts; a wrong
 * configuration ends it at once. Ends with the codes of {@link ExitCode}.
 */
public final class WorkerMain {

  /** As long as Temporal's SDK has it by default. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  // every call to Kubernetes ends before the engine gives up on a short activity (10 s)
  private static final int REQUEST_MS = 8_000;
  private static final int CONNECT_MS = 3_000;

  private WorkerMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] args) throws InterruptedException {
    SluiceProcess.run(WorkerMain::start);
  }

  private static void start(
      Settings settings,
      ProcessSettings common,
      Map<String, String> env,
      ProcessLifecycle lifecycle)
      throws Exception {
    WorkerSettings worker = WorkerSettings.from(settings);
    settings.check();
    boolean restTls = common.flinkTls().isGiven();
    WatchedFile<DefaultConfiguration> defaults =
        common
            .defaults()
            .open(
                DefaultConfiguration.NONE.withRestTls(restTls),
                text -> DefaultConfiguration.parse(text).withRestTls(restTls));
    lifecycle.onEnd("default configuration", defaults);
    WatchedFile<Optional<RestTls>> tls = common.flinkTls().open(RestTls::new);
    lifecycle.onEnd("certificates for Flink", tls);
    Metrics metrics = new Metrics();
    lifecycle.onEnd("metrics", metrics);
    metrics.watch("default.configuration", defaults);
    metrics.watch("flink.tls", tls);
    TemporalConnection temporal =
        TemporalConnection.of(env, common.temporalRpcTimeout(), PATIENCE, metrics.temporalScope());
    lifecycle.onEnd("Temporal", temporal);
    KubernetesClient kubernetes = kubernetes();
    lifecycle.onEnd("Kubernetes", kubernetes);
    Activities activities =
        Activities.open(temporal, kubernetes, defaults, tls, worker, metrics, lifecycle);
    AtomicReference<@Nullable WorkerFactory> polling = new AtomicReference<>();
    KubernetesIdentity identity = new KubernetesIdentity(kubernetes);
    StartSequence start = new StartSequence(worker.startRetry());
    HealthServer http =
        HealthServer.start(
            common.httpAddress(),
            common.httpPort(),
            List.of(start.check(), new HealthCheck("kubernetes", activities::problem)),
            metrics);
    lifecycle.onEnd("http", http);
    lifecycle.onEnd("worker", () -> drain(polling.get(), activities, common.drainTimeout()));
    LoggerFactory.getLogger(WorkerMain.class)
        .info("Health on {}:{}", common.httpAddress(), http.port());
    start.await("Kubernetes at " + kubernetes.getMasterUrl(), () -> identify(identity));
    start.await("pods and Deployments of Kubernetes", () -> awaitCaches(activities));
    start.await(
        "Temporal at " + temporal.display(),
        () -> {
          attributes(temporal, common).ensure();
          polling.set(poll(temporal, worker, identity.read(), activities));
        });
    start.done();
  }

  /**
   * The connection to Kubernetes, found as all of fabric8's clients find it: kubeconfig, or the
   * service account of the pod. Making it needs no API server.
   */
  private static KubernetesClient kubernetes() {
    Config config =
        new ConfigBuilder(Config.autoConfigure(null))
            .withRequestTimeout(REQUEST_MS)
            .withConnectionTimeout(CONNECT_MS)
            // the engine tries again, and shows that it does
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** The task queue and what this worker may do depend on it. */
  private static void identify(KubernetesIdentity identity) {
    LoggerFactory.getLogger(WorkerMain.class)
        .info("Serves the Kubernetes cluster whose kube-system has uid {}", identity.read());
  }

  /** What is not in a cache that was never filled would look deleted. */
  private static void awaitCaches(Activities activities) {
    activities
        .problem()
        .ifPresent(
            why -> {
              throw new StartSequence.NotReadyException(why);
            });
  }

  private static WorkerFactory poll(
      TemporalConnection temporal,
      WorkerSettings worker,
      String kubernetes,
      Activities activities) {
    WorkerFactory factory = TemporalWorker.create(temporal, worker, kubernetes, activities.kinds());
    factory.start();
    LoggerFactory.getLogger(WorkerMain.class)
        .info(
            "Polls task queue {} of Temporal at {}",
            worker.taskQueue(kubernetes),
            temporal.display());
    return factory;
  }

  private static SearchAttributeRegistration attributes(
      TemporalConnection temporal, ProcessSettings common) {
    return new SearchAttributeRegistration(
        temporal.stubs(),
        temporal.client().getOptions().getNamespace(),
        common.temporalRpcTimeout());
  }

  /** No new work; the waits go to other workers, short effects may end. */
  private static void drain(
      @Nullable WorkerFactory factory, Activities activities, Duration atMost) {
    if (factory == null) {
      return;
    }
    factory.shutdown();
    activities.handOver();
    factory.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }
}
