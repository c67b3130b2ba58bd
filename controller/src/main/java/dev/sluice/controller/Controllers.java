package dev.sluice.controller;

import dev.sluice.api.Finalizers;
import dev.sluice.controller.ControllerSettings.Lease;
import dev.sluice.controller.common.ReconcilerOptions;
import dev.sluice.controller.deployment.ChangeFilter;
import dev.sluice.controller.deployment.FlinkDeploymentReconciler;
import dev.sluice.controller.snapshot.FlinkStateSnapshotReconciler;
import dev.sluice.controller.snapshot.SnapshotChangeFilter;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires reconcilers into an operator; starting it is the caller's. */
public final class Controllers {

  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

  private Controllers() {}

  /**
   * An operator that is not started yet.
   *
   * @param client stays the caller's to close
   * @param snapshots the reconciler of snapshots; empty where the API server does not serve them
   * @param lostLease what to do when another one has become the leader
   */
  public static Operator of(
      KubernetesClient client,
      ControllerSettings settings,
      FlinkDeploymentReconciler reconciler,
      Optional<FlinkStateSnapshotReconciler> snapshots,
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
    operator.register(
        reconciler,
        configuration -> {
          configuration
              .withName("sluice-controller")
              .withFinalizer(Finalizers.FLINK_DEPLOYMENT)
              .withGenerationAware(false)
              .withOnUpdateFilter(new ChangeFilter())
              .withRetry(ReconcilerOptions.retry())
              .withReconciliationMaxInterval(ReconcilerOptions.MAX_INTERVAL);
          if (!settings.namespaces().isEmpty()) {
            configuration.settingNamespaces(settings.namespaces().toArray(String[]::new));
          }
        });
    snapshots.ifPresent(
        it ->
            operator.register(
                it,
                configuration -> {
                  configuration
                      .withName("sluice-snapshots")
                      .withGenerationAware(false)
                      .withTriggerReconcilerOnAllEvents(true)
                      .withOnUpdateFilter(new SnapshotChangeFilter())
                      .withRetry(ReconcilerOptions.retry())
                      .withReconciliationMaxInterval(ReconcilerOptions.MAX_INTERVAL);
                  if (!settings.namespaces().isEmpty()) {
                    configuration.settingNamespaces(settings.namespaces().toArray(String[]::new));
                  }
                }));
    return operator;
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
