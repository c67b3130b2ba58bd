package dev.sluice.controller;

import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.activities.flink.RestTls;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.validation.SpecValidation;
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
import dev.sluice.controller.admission.AdmissionServer;
import dev.sluice.controller.admission.AdmissionSettings;
import dev.sluice.controller.admission.SpecAdmission;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ResourceMetrics;
import dev.sluice.controller.common.WatchedNamespaces;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.operation.OperationClient;
import dev.sluice.controller.operation.TemporalCalls;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller process. Needs a Kubernetes API server to start; Temporal and Flink may be away.
 *
 * <p>Ends with the codes of {@link ExitCode}; losing the Lease is {@link ExitCode#UNAVAILABLE}, so
 * that the pod restarts as standby.
 */
public final class ControllerMain {

  private ControllerMain() {}

  /** Runs until SIGTERM. */
  public static void main(String[] args) throws InterruptedException {
    SluiceProcess.run(ControllerMain::start);
  }

  private static void start(
      Settings settings,
      ProcessSettings common,
      Map<String, String> env,
      ProcessLifecycle lifecycle)
      throws Exception {
    ControllerSettings controller = ControllerSettings.from(settings);
    Optional<AdmissionSettings> webhook = AdmissionSettings.from(settings);
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
        TemporalConnection.of(
            env, common.temporalRpcTimeout(), common.temporalRpcTimeout(), metrics.temporalScope());
    lifecycle.onEnd("Temporal", temporal);
    KubernetesClient kubernetes = kubernetes(lifecycle);
    KubernetesCluster cluster = KubernetesCluster.of(kubernetes);
    String taskQueue = cluster.taskQueue(controller.taskQueue());
    TemporalCalls calls = new TemporalCalls(temporal.display(), controller.callsAtTheSameTime());
    Controllers controllers =
        new Controllers(
            kubernetes,
            flink(tls, metrics, lifecycle).within(JobPollers.PATIENCE),
            new OperationClient(temporal.client(), taskQueue, calls),
            cluster,
            controller,
            defaults);
    lifecycle.onEnd("controllers", controllers);
    metrics.registry().getPrometheusRegistry().register(new ResourceMetrics(controllers.known()));
    measure(controllers.pollers(), metrics);
    warn(defaults.get());
    defaults.onChange(
        () -> {
          warn(defaults.get());
          controllers.defaultsChanged();
        });
    if (webhook.isPresent()) {
      serveWebhook(webhook.get(), controllers, kubernetes, metrics, lifecycle);
    }
    int health = run(controllers, controller, kubernetes, common, metrics, lifecycle);
    log()
        .info(
            "Watching {} on {} (identity {}); starting workflows at {} on task queue {}; health on"
                + " {}:{}",
            controller.watched(),
            kubernetes.getMasterUrl(),
            cluster.uid(),
            temporal.display(),
            taskQueue,
            common.httpAddress(),
            health);
  }

  private static KubernetesClient kubernetes(ProcessLifecycle lifecycle) {
    KubernetesClient kubernetes =
        new KubernetesClientBuilder()
            .editOrNewConfig()
            .withUserAgent("sluice-controller")
            .endConfig()
            .build();
    lifecycle.onEnd("Kubernetes", kubernetes);
    return kubernetes;
  }

  private static OkHttpFlinkRest flink(
      Supplier<Optional<RestTls>> tls, Metrics metrics, ProcessLifecycle lifecycle) {
    OkHttpFlinkRest flink = new OkHttpFlinkRest(FlinkRestOptions.defaults(), tls);
    metrics
        .registry()
        .more()
        .counter("sluice.flink.requests", Tags.empty(), flink, OkHttpFlinkRest::calls);
    lifecycle.onEnd("Flink", flink);
    return flink;
  }

  /** Starts the operator; returns the port of health and metrics. */
  private static int run(
      Controllers controllers,
      ControllerSettings settings,
      KubernetesClient kubernetes,
      ProcessSettings common,
      Metrics metrics,
      ProcessLifecycle lifecycle)
      throws IOException {
    AtomicBoolean started = new AtomicBoolean();
    AtomicBoolean stopping = new AtomicBoolean();
    Operator operator =
        controllers.operator(
            MicrometerMetrics.withoutPerResourceMetrics(metrics.registry()),
            () -> lostLease(lifecycle, stopping));
    HealthServer http =
        HealthServer.start(
            common.httpAddress(),
            common.httpPort(),
            ready(operator, controllers.namespaces(), started),
            metrics);
    lifecycle.onEnd("http", http);
    if (settings.lease().enabled()) {
      lifecycle.onEnd("Lease", new LeaseHandover(kubernetes, settings.lease()));
    }
    lifecycle.onEnd(
        "operator",
        () -> {
          stopping.set(true);
          operator.stop();
        });
    operator.start();
    started.set(true);
    return http.port();
  }

  /** Also of a controller on standby, whose caches are as full. */
  private static void serveWebhook(
      AdmissionSettings settings,
      Controllers controllers,
      KubernetesClient kubernetes,
      Metrics metrics,
      ProcessLifecycle lifecycle)
      throws IOException {
    SpecAdmission admission =
        new SpecAdmission(
            controllers.checkedKinds(),
            controllers::watches,
            settings.ownUsers(),
            kubernetes.getKubernetesSerialization());
    AdmissionServer server = AdmissionServer.start(settings, admission, metrics.registry());
    lifecycle.onEnd("webhook", server);
    log().info("Admission webhook on {}:{}", settings.address(), server.port());
  }

  private static void measure(JobPollers pollers, Metrics metrics) {
    metrics.registry().gauge("sluice.clusters.watched", pollers, JobPollers::size);
    metrics
        .registry()
        .more()
        .counter("sluice.clusters.passes", Tags.empty(), pollers, JobPollers::polls);
  }

  private static void warn(DefaultConfiguration defaults) {
    SpecValidation.warnings(defaults)
        .forEach(warning -> log().warn("Default configuration: {}", warning));
  }

  private static List<HealthCheck> ready(
      Operator operator, WatchedNamespaces namespaces, AtomicBoolean started) {
    return List.of(
        new HealthCheck(
            "started", () -> started.get() ? Optional.empty() : Optional.of("not started yet")),
        new HealthCheck("namespaces", namespaces::problem),
        new HealthCheck(
            "informers",
            () -> {
              if (!started.get()) {
                return Optional.empty(); // the other check says so
              }
              var unhealthy = operator.getRuntimeInfo().unhealthyEventSources();
              boolean well = unhealthy.values().stream().allMatch(Map::isEmpty);
              return well ? Optional.empty() : Optional.of("not in sync: " + unhealthy);
            }));
  }

  private static void lostLease(ProcessLifecycle lifecycle, AtomicBoolean stopping) {
    if (stopping.get()) {
      return; // we gave it back
    }
    log().warn("Lost the leader lease; exiting so that the pod restarts as standby.");
    // not on this thread: the operator's stop waits for the elector that calls us
    new Thread(() -> lifecycle.exit(ExitCode.UNAVAILABLE), "lost-lease").start();
  }

  // not a constant: nothing may log before the format is known
  private static Logger log() {
    return LoggerFactory.getLogger(ControllerMain.class);
  }
}
