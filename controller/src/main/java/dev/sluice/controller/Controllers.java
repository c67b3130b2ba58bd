package dev.sluice.controller;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.controller.ControllerSettings.Lease;
import dev.sluice.controller.admission.CheckedKind;
import dev.sluice.controller.application.FlinkApplicationReconciler;
import dev.sluice.controller.bluegreen.FlinkBlueGreenDeploymentReconciler;
import dev.sluice.controller.common.EventRecorder;
import dev.sluice.controller.common.KnownResources;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.common.WatchedNamespaces;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.operation.OperationCalls;
import dev.sluice.controller.operation.OperationDispatcher;
import dev.sluice.controller.reconcile.LaneReconciler;
import dev.sluice.controller.sessionjob.FlinkSessionJobReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import dev.sluice.controller.snapshot.JobSnapshots;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reconcilers of all kinds that the API server knows, with what they share. */
public final class Controllers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

  /** Each resource is reconciled at least this often, whatever was missed. */
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(5);

  private final KubernetesClient kubernetes;
  private final ControllerSettings settings;
  private final WatchedNamespaces namespaces;
  private final KnownResources known = new KnownResources();
  private final JobPollers pollers;
  private final EventRecorder events;
  private final FlinkDeploymentReconciler deployments;
  private final List<LaneReconciler<?, ?, ?>> all = new ArrayList<>();
  private volatile boolean leads;

  /**
   * Makes them for the kinds that are served now; the operator is started by the caller.
   *
   * @param kubernetes stays the caller's to close
   * @param flink limited to {@link JobPollers#PATIENCE}; stays the caller's to close
   * @param cluster the Kubernetes cluster
   * @param defaults Flink configuration that holds where a resource does not say, as it is now
   */
  public Controllers(
      KubernetesClient kubernetes,
      FlinkRest flink,
      OperationCalls operations,
      KubernetesCluster cluster,
      ControllerSettings settings,
      Supplier<DefaultConfiguration> defaults) {
    this.kubernetes = kubernetes;
    this.settings = settings;
    this.namespaces =
        new WatchedNamespaces(kubernetes, settings.namespaces(), settings.namespaceSelector());
    this.leads = !settings.lease().enabled();
    this.pollers = new JobPollers(flink, settings.poll());
    this.events = new EventRecorder(kubernetes, Clock.systemUTC());
    LaneReconciler.Shared lanes =
        new LaneReconciler.Shared(
            kubernetes,
            events,
            cluster,
            namespaces,
            known,
            new OperationDispatcher(operations, Clock.systemUTC(), settings.intervals()),
            Clock.systemUTC(),
            settings.intervals());
    boolean snapshots = isServed(FlinkStateSnapshot.class);
    boolean jobs = isServed(FlinkSessionJob.class);
    boolean blueGreen = isServed(FlinkBlueGreenDeployment.class);
    this.deployments =
        new FlinkDeploymentReconciler(
            lanes, new JobSnapshots<>(FlinkDeployment.class, lanes, snapshots), pollers, defaults);
    all.add(deployments);
    if (jobs) {
      all.add(
          new FlinkSessionJobReconciler(
              lanes,
              new JobSnapshots<>(FlinkSessionJob.class, lanes, snapshots),
              pollers,
              defaults));
    }
    if (snapshots) {
      all.add(new FlinkStateSnapshotReconciler(lanes));
    }
    if (jobs && blueGreen) { // a child may have a job
      all.add(new FlinkBlueGreenDeploymentReconciler(lanes, defaults));
    }
    if (settings.applications() && isServed(FlinkApplication.class)) {
      all.add(new FlinkApplicationReconciler(lanes, pollers, flink));
    }
    namespaces.onChange(changed -> all.forEach(it -> it.namespaceChanged(changed)));
  }

  /** A cluster may have been set up before there were other kinds than FlinkDeployments. */
  private boolean isServed(Class<? extends HasMetadata> kind) {
    var all = kubernetes.resources(kind);
    List<String> fixed = settings.namespaces();
    var one = new ListOptionsBuilder().withLimit(1L).build();
    try {
      var unused =
          fixed.isEmpty()
              ? all.inAnyNamespace().list(one)
              : all.inNamespace(fixed.get(0)).list(one);
      return true;
    } catch (KubernetesClientException failed) {
      if (failed.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw failed;
      }
      LOG.warn(
          "{}s are not served by {}. To use them apply deploy/crds and restart the controller",
          HasMetadata.getKind(kind),
          kubernetes.getMasterUrl());
      return false;
    }
  }

  /** How the specs of each kind are checked. */
  List<CheckedKind<?>> checkedKinds() {
    return all.stream().<CheckedKind<?>>map(LaneReconciler::checkedKind).toList();
  }

  /** Has the resources reconciled that the default configuration concerns. */
  public void defaultsChanged() {
    deployments.defaultsChanged();
  }

  WatchedNamespaces namespaces() {
    return namespaces;
  }

  /** Whether the resources of this namespace are run now. */
  public boolean watches(String namespace) {
    return namespaces.contains(namespace);
  }

  KnownResources known() {
    return known;
  }

  JobPollers pollers() {
    return pollers;
  }

  /** Whether this process reconciles, and is not on standby. */
  boolean leads() {
    return leads;
  }

  /**
   * An operator that is not started yet.
   *
   * @param lostLease what to do when another one has become the leader
   */
  public Operator operator(Metrics metrics, Runnable lostLease) {
    Operator operator =
        new Operator(
            overrider -> {
              overrider
                  .withKubernetesClient(kubernetes)
                  .withCloseClientOnStop(false)
                  .withMetrics(metrics)
                  .withConcurrentReconciliationThreads(settings.threads())
                  // its finalizer would be applied together with a spec full of our defaults
                  .withUseSSAToPatchPrimaryResource(false)
                  .checkingCRDAndValidateLocalModel(false);
              if (settings.lease().enabled()) {
                elect(overrider, settings.lease(), lostLease);
              }
            });
    all.forEach(it -> register(operator, it));
    return operator;
  }

  private <R extends HasMetadata> void register(
      Operator operator, LaneReconciler<R, ?, ?> reconciler) {
    LaneReconciler.Registration<R> how = reconciler.registration();
    operator.register(
        reconciler,
        configuration -> {
          configuration
              .withName(how.name())
              .withGenerationAware(false)
              .withOnUpdateFilter(how.changes())
              // else the SDK would add its finalizer, before it calls the reconciler
              .withGenericFilter(namespaces::hold)
              .withRetry(retry())
              .withRateLimiter(limit())
              .withReconciliationMaxInterval(MAX_INTERVAL);
          if (how.finalizer() == null) {
            configuration.withTriggerReconcilerOnAllEvents(true);
          } else {
            configuration.withFinalizer(how.finalizer());
          }
          if (!settings.namespaces().isEmpty()) {
            configuration.settingNamespaces(Set.copyOf(settings.namespaces()));
          }
        });
  }

  /**
   * Twenty reconciliations of one resource in 2 s are more than a deployment of it causes: two
   * controllers that want different things of one object cannot chase each other.
   */
  private static RateLimiter<?> limit() {
    return new LinearRateLimiter(Duration.ofSeconds(2), 20);
  }

  /** What fails, which is the API server alone, is tried again for ever: 1 s, 2 s ... 30 s. */
  private static Retry retry() {
    return new GenericRetry()
        .setInitialInterval(Duration.ofSeconds(1).toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(Duration.ofSeconds(30).toMillis())
        .withoutMaxAttempts();
  }

  private void elect(ConfigurationServiceOverrider overrider, Lease lease, Runnable lostLease) {
    overrider.withLeaderElectionConfiguration(
        LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(lease.name())
            .withLeaseNamespace(lease.namespace())
            .withIdentity(lease.identity())
            .withLeaseDuration(lease.timing().duration())
            .withRenewDeadline(lease.timing().renewDeadline())
            .withRetryPeriod(lease.timing().retryPeriod())
            .withExitOnStopLeading(false)
            .withLeaderCallbacks(
                new LeaderCallbacks(
                    () -> {
                      leads = true;
                      LOG.info("Became the leader.");
                    },
                    lostLease,
                    leader -> LOG.info("The leader is {}.", leader)))
            .build());
  }

  @Override
  public void close() {
    namespaces.close();
    pollers.close();
    events.close();
  }
}
