package dev.sluice.controller;

import dev.sluice.api.Finalizers;
import dev.sluice.controller.ControllerSettings.Lease;
import dev.sluice.controller.application.ApplicationChangeFilter;
import dev.sluice.controller.application.FlinkApplicationReconciler;
import dev.sluice.controller.bluegreen.BlueGreenChangeFilter;
import dev.sluice.controller.bluegreen.FlinkBlueGreenDeploymentReconciler;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.sessionjob.FlinkSessionJobReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires reconcilers into an operator; starting it is the caller's. */
public final class Controllers {

  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

  /** Each resource is reconciled at least this often, whatever was missed. */
  private static final Duration MAX_INTERVAL = Duration.ofMinutes(5);

  private Controllers() {}

  /**
   * One for each kind.
   *
   * @param sessionJobs of jobs on session clusters; empty where the API server does not serve them
   * @param snapshots empty where the API server does not serve them
   * @param blueGreen empty where the API server does not serve them
   * @param applications empty where the API server does not serve them
   */
  public record Reconcilers(
      FlinkDeploymentReconciler deployments,
      Optional<FlinkSessionJobReconciler> sessionJobs,
      Optional<FlinkStateSnapshotReconciler> snapshots,
      Optional<FlinkBlueGreenDeploymentReconciler> blueGreen,
      Optional<FlinkApplicationReconciler> applications) {}

  /**
   * An operator that is not started yet.
   *
   * @param client stays the caller's to close
   * @param lostLease what to do when another one has become the leader
   */
  public static Operator of(
      KubernetesClient client,
      ControllerSettings settings,
      Reconcilers reconcilers,
      Metrics metrics,
      Runnable lostLease) {
    Operator operator =
        new Operator(
            overrider -> {
              overrider
                  .withKubernetesClient(client)
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
    Set<String> namespaces = Set.copyOf(settings.namespaces());
    operator.register(
        reconcilers.deployments(),
        configuration ->
            common(
                    configuration,
                    "sluice-controller",
                    FlinkDeploymentReconciler::isChange,
                    namespaces)
                .withFinalizer(Finalizers.FLINK_DEPLOYMENT));
    reconcilers
        .sessionJobs()
        .ifPresent(
            it ->
                operator.register(
                    it,
                    configuration ->
                        common(
                                configuration,
                                "sluice-session-jobs",
                                FlinkSessionJobReconciler::isChange,
                                namespaces)
                            .withFinalizer(Finalizers.FLINK_SESSION_JOB)));
    reconcilers
        .snapshots()
        .ifPresent(
            it ->
                operator.register(
                    it,
                    configuration ->
                        common(
                                configuration,
                                "sluice-snapshots",
                                FlinkStateSnapshotReconciler::isChange,
                                namespaces)
                            .withTriggerReconcilerOnAllEvents(true)));
    reconcilers
        .blueGreen()
        .ifPresent(
            it ->
                operator.register(
                    it,
                    configuration ->
                        common(
                                configuration,
                                "sluice-blue-green",
                                new BlueGreenChangeFilter(),
                                namespaces)
                            .withFinalizer(Finalizers.FLINK_BLUE_GREEN_DEPLOYMENT)));
    reconcilers
        .applications()
        .ifPresent(
            it ->
                operator.register(
                    it,
                    configuration ->
                        common(
                                configuration,
                                "sluice-applications",
                                new ApplicationChangeFilter(),
                                namespaces)
                            .withTriggerReconcilerOnAllEvents(true)));
    return operator;
  }

  private static <P extends HasMetadata> ControllerConfigurationOverrider<P> common(
      ControllerConfigurationOverrider<P> configuration,
      String name,
      OnUpdateFilter<P> changes,
      Set<String> namespaces) {
    configuration
        .withName(name)
        .withGenerationAware(false)
        .withOnUpdateFilter(changes)
        .withRetry(retry())
        .withReconciliationMaxInterval(MAX_INTERVAL);
    return namespaces.isEmpty() ? configuration : configuration.settingNamespaces(namespaces);
  }

  /** What fails, which is the API server alone, is tried again for ever: 1 s, 2 s ... 30 s. */
  private static Retry retry() {
    return new GenericRetry()
        .setInitialInterval(Duration.ofSeconds(1).toMillis())
        .setIntervalMultiplier(2)
        .setMaxInterval(Duration.ofSeconds(30).toMillis())
        .withoutMaxAttempts();
  }

  private static void elect(
      ConfigurationServiceOverrider overrider, Lease lease, Runnable lostLease) {
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
                    () -> LOG.info("Became the leader."),
                    lostLease,
                    leader -> LOG.info("The leader is {}.", leader)))
            .build());
  }
}
