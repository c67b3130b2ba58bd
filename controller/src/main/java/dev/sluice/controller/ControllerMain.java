package dev.sluice.controller;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestOptions;
import dev.sluice.activities.flink.OkHttpFlinkRest;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
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
import dev.sluice.controller.admission.CheckedKind;
import dev.sluice.controller.admission.SpecAdmission;
import dev.sluice.controller.application.FlinkApplicationReconciler;
import dev.sluice.controller.bluegreen.FlinkBlueGreenDeploymentReconciler;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.ServedDefinition;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.operation.OperationClient;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.operation.TemporalCalls;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.sessionjob.FlinkSessionJobReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import dev.sluice.controller.snapshot.JobSnapshots;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller process. Needs a Kubernetes API server to start; Temporal and Flink may be away.
 *
 * <p>Ends with the codes of {@link ExitCode}; losing the Lease is {@link ExitCode#UNAVAILABLE}, so
 * that the pod restarts as standby.
 */
public final class ControllerMain {

  private static final Duration DEFINITION_INTERVAL = Duration.ofMinutes(1);

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
    WatchedFile<DefaultConfiguration> defaults =
        common.defaults().open(DefaultConfiguration.NONE, DefaultConfiguration::parse);
    lifecycle.onEnd("default configuration", defaults);
    Metrics metrics = new Metrics();
    lifecycle.onEnd("metrics", metrics);
    metrics.watch(defaults);
    TemporalConnection temporal =
        TemporalConnection.of(
            env, common.temporalRpcTimeout(), common.temporalRpcTimeout(), metrics.temporalScope());
    lifecycle.onEnd("Temporal", temporal);
    KubernetesClient kubernetes =
        new KubernetesClientBuilder()
            .editOrNewConfig()
            .withUserAgent("sluice-controller")
            .endConfig()
            .build();
    lifecycle.onEnd("Kubernetes", kubernetes);
    OkHttpFlinkRest client = new OkHttpFlinkRest(FlinkRestOptions.defaults());
    metrics
        .registry()
        .more()
        .counter("sluice.flink.requests", Tags.empty(), client, OkHttpFlinkRest::calls);
    lifecycle.onEnd("Flink", client);
    FlinkRest flink = client.within(JobPollers.PATIENCE);
    JobPollers pollers = new JobPollers(flink, controller.poll());
    lifecycle.onEnd("job pollers", pollers);
    metrics.registry().gauge("sluice.clusters.watched", pollers, JobPollers::size);
    metrics
        .registry()
        .more()
        .counter("sluice.clusters.passes", Tags.empty(), pollers, JobPollers::polls);
    KubernetesCluster cluster = KubernetesCluster.of(kubernetes);
    String taskQueue = cluster.taskQueue(controller.taskQueue());
    TemporalCalls calls = new TemporalCalls(temporal.display(), controller.callsAtTheSameTime());
    OperationDispatcher dispatcher =
        new OperationDispatcher(
            new OperationClient(temporal.client(), taskQueue, calls),
            Clock.systemUTC(),
            controller.intervals());
    EventRecorder events = new EventRecorder(kubernetes, Clock.systemUTC());
    lifecycle.onEnd("events", events);
    Set<Class<? extends HasMetadata>> served = served(kubernetes, controller);
    warnOfMissing(served, kubernetes);
    exitOnceOthersAreServed(served, kubernetes, controller, lifecycle);
    boolean snapshots = served.contains(FlinkStateSnapshot.class);
    AtomicBoolean started = new AtomicBoolean();
    AtomicBoolean stopping = new AtomicBoolean();
    LaneReconciler.Shared lanes =
        new LaneReconciler.Shared(
            kubernetes,
            events,
            cluster,
            new KnownResources(),
            dispatcher,
            Clock.systemUTC(),
            controller.intervals());
    FlinkDeploymentReconciler reconciler =
        new FlinkDeploymentReconciler(
            lanes, new JobSnapshots<>(FlinkDeployment.class, lanes, snapshots), pollers, defaults);
    warn(defaults.get());
    defaults.onChange(
        () -> {
          warn(defaults.get());
          reconciler.defaultsChanged();
        });
    List<LaneReconciler<?, ?, ?>> reconcilers = new ArrayList<>(List.of(reconciler));
    if (served.contains(FlinkSessionJob.class)) {
      reconcilers.add(
          new FlinkSessionJobReconciler(
              lanes,
              new JobSnapshots<>(FlinkSessionJob.class, lanes, snapshots),
              pollers,
              defaults));
    }
    if (snapshots) {
      reconcilers.add(new FlinkStateSnapshotReconciler(lanes));
    }
    if (served.contains(FlinkBlueGreenDeployment.class)) {
      reconcilers.add(new FlinkBlueGreenDeploymentReconciler(lanes, defaults));
    }
    if (served.contains(FlinkApplication.class)) {
      reconcilers.add(new FlinkApplicationReconciler(lanes, pollers, flink));
    }
    Operator operator =
        Controllers.of(
            kubernetes,
            controller,
            reconcilers,
            MicrometerMetrics.withoutPerResourceMetrics(metrics.registry()),
            () -> lostLease(lifecycle, stopping));
    if (webhook.isPresent()) {
      serveWebhook(
          webhook.get(),
          new SpecAdmission(
              reconcilers.stream().<CheckedKind<?>>map(LaneReconciler::checkedKind).toList(),
              controller.namespaces(),
              webhook.get().ownUsers(),
              kubernetes.getKubernetesSerialization()),
          metrics,
          lifecycle);
    }
    HealthServer http =
        HealthServer.start(
            common.httpAddress(), common.httpPort(), List.of(), ready(operator, started), metrics);
    lifecycle.onEnd("http", http);
    if (controller.lease().enabled()) {
      lifecycle.onEnd("Lease", new LeaseHandover(kubernetes, controller.lease()));
    }
    lifecycle.onEnd(
        "operator",
        () -> {
          stopping.set(true);
          operator.stop();
        });
    operator.start();
    started.set(true);
    log()
        .info(
            "Watching {} on {} (identity {}); starting workflows at {} on task queue {}; health on"
                + " {}:{}",
            controller.namespaces().isEmpty() ? "all namespaces" : controller.namespaces(),
            kubernetes.getMasterUrl(),
            cluster.uid(),
            temporal.display(),
            taskQueue,
            common.httpAddress(),
            http.port());
  }

  /** Also of a controller on standby, whose caches are as full. */
  private static void serveWebhook(
      AdmissionSettings settings,
      SpecAdmission admission,
      Metrics metrics,
      ProcessLifecycle lifecycle)
      throws IOException {
    AdmissionServer server = AdmissionServer.start(settings, admission, metrics.registry());
    lifecycle.onEnd("webhook", server);
    log().info("Admission webhook on {}:{}", settings.address(), server.port());
  }

  /**
   * The kinds that the API server knows, beside FlinkDeployments: a cluster may have been set up
   * before there were others. Reconcilers and informers are made at the start only.
   */
  private static Set<Class<? extends HasMetadata>> served(
      KubernetesClient kubernetes, ControllerSettings controller) {
    Set<Class<? extends HasMetadata>> served =
        new LinkedHashSet<>(
            List.of(
                FlinkStateSnapshot.class, FlinkSessionJob.class, FlinkBlueGreenDeployment.class));
    if (controller.applications()) {
      served.add(FlinkApplication.class); // else they are left to Lyft's operator
    }
    served.removeIf(kind -> !ServedDefinition.isServed(kubernetes, kind, controller.namespaces()));
    if (!served.contains(FlinkSessionJob.class)) {
      served.remove(FlinkBlueGreenDeployment.class); // a child may have one
    }
    return served;
  }

  private static void warnOfMissing(
      Set<Class<? extends HasMetadata>> served, KubernetesClient kubernetes) {
    Stream.of(FlinkStateSnapshot.class, FlinkSessionJob.class, FlinkBlueGreenDeployment.class)
        .filter(kind -> !served.contains(kind))
        .forEach(
            kind ->
                log()
                    .warn(
                        "{}s are not served by {}. Apply deploy/crds to use them; the controller"
                            + " restarts then",
                        HasMetadata.getKind(kind),
                        kubernetes.getMasterUrl()));
  }

  /** Reconcilers and informers are made at the start, so one is needed for what comes later. */
  private static void exitOnceOthersAreServed(
      Set<Class<? extends HasMetadata>> served,
      KubernetesClient kubernetes,
      ControllerSettings controller,
      ProcessLifecycle lifecycle) {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    lifecycle.onEnd("definitions", timer::shutdownNow);
    var unused =
        timer.scheduleWithFixedDelay(
            () -> {
              try {
                if (!served(kubernetes, controller).equals(served)) {
                  log().warn("Other kinds are served now; exiting so that the pod restarts.");
                  lifecycle.exit(ExitCode.UNAVAILABLE);
                }
              } catch (KubernetesClientException away) {
                log().debug("which kinds are served", away);
              }
            },
            DEFINITION_INTERVAL.toSeconds(),
            DEFINITION_INTERVAL.toSeconds(),
            TimeUnit.SECONDS);
  }

  private static void warn(DefaultConfiguration defaults) {
    SpecValidation.warnings(defaults)
        .forEach(warning -> log().warn("Default configuration: {}", warning));
  }

  private static List<HealthCheck> ready(Operator operator, AtomicBoolean started) {
    return List.of(
        new HealthCheck(
            "started", () -> started.get() ? Optional.empty() : Optional.of("not started yet")),
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
