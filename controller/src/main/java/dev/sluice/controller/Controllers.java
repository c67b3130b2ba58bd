package dev.sluice.controller;

import dev.sluice.controller.ControllerSettings.Lease;
import dev.sluice.controller.reconcile.LaneReconciler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.processing.event.rate.LinearRateLimiter;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.Retry;
import java.time.Duration;
import java.util.List;
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
   * An operator that is not started yet.
   *
   * @param client stays the caller's to close
   * @param reconcilers one for each kind
   * @param lostLease what to do when another one has become the leader
   */
  public static Operator of(
      KubernetesClient client,
      ControllerSettings settings,
      List<LaneReconciler<?, ?, ?>> reconcilers,
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
    reconcilers.forEach(it -> register(operator, it, namespaces));
    return operator;
  }

  private static <R extends HasMetadata> void register(
      Operator operator, LaneReconciler<R, ?, ?> reconciler, Set<String> namespaces) {
    LaneReconciler.Registration<R> how = reconciler.registration();
    operator.register(
        reconciler,
        configuration -> {
          configuration
              .withName(how.name())
              .withGenerationAware(false)
              .withOnUpdateFilter(how.changes())
              .withRetry(retry())
              .withRateLimiter(limit())
              .withReconciliationMaxInterval(MAX_INTERVAL);
          if (how.finalizer() == null) {
            configuration.withTriggerReconcilerOnAllEvents(true);
          } else {
            configuration.withFinalizer(how.finalizer());
          }
          if (!namespaces.isEmpty()) {
            configuration.settingNamespaces(namespaces);
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
