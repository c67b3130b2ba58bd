package dev.sluice.controller.common;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResourceMetricsTest {

  @Test
  void resources_and_their_open_operations_are_counted_by_namespace_and_state() {
    KnownResources known = new KnownResources();
    known.add(
        FlinkDeployment.class,
        () ->
            Stream.of(
                deployment("a", LifecycleState.STABLE, OperationState.SUCCEEDED),
                deployment("a", LifecycleState.STABLE, OperationState.SUCCEEDED),
                deployment("b", LifecycleState.UPGRADING, OperationState.PARKED),
                new FlinkDeployment()));
    known.add(ConfigMap.class, () -> Stream.of(new ConfigMap()));
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.getPrometheusRegistry().register(new ResourceMetrics(known));

    assertThat(registry.scrape().lines().filter(it -> it.startsWith("sluice_")))
        .containsExactlyInAnyOrder(
            "sluice_resources{kind=\"FlinkDeployment\",lifecycle_state=\"STABLE\",resource_namespace=\"a\"}"
                + " 2.0",
            "sluice_resources{kind=\"FlinkDeployment\",lifecycle_state=\"UPGRADING\",resource_namespace=\"b\"}"
                + " 1.0",
            "sluice_operations_open{kind=\"FlinkDeployment\",operation=\"Upgrade\",resource_namespace=\"b\",state=\"Parked\"}"
                + " 1.0",
            "sluice_checkpoint_bytes{kind=\"FlinkDeployment\",resource_namespace=\"a\"} 2048.0");
  }

  /** No test on a whole cluster has a reconciliation that fails. */
  @Test
  void reconciliations_that_fail_have_the_name_that_the_alert_queries() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    FlinkDeployment orders = new FlinkDeployment();
    orders.getMetadata().setName("orders");

    MicrometerMetrics.withoutPerResourceMetrics(registry)
        .failedReconciliation(
            orders,
            new IllegalStateException(),
            Map.of(Constants.RESOURCE_GVK_KEY, GroupVersionKind.gvkFor(FlinkDeployment.class)));

    assertThat(registry.scrape())
        .containsPattern(
            "operator_sdk_reconciliations_failed_total\\{[^}]*kind=\"FlinkDeployment\"");
  }

  private static FlinkDeployment deployment(
      String namespace, LifecycleState lifecycle, OperationState operation) {
    FlinkDeployment deployment = new FlinkDeployment();
    deployment.getMetadata().setNamespace(namespace);
    deployment.setStatus(
        deployment
            .getStatus()
            .withLifecycleState(lifecycle)
            .withClusterInfo(
                Map.of("state-size", lifecycle == LifecycleState.STABLE ? "1024" : "unknown"))
            .withOperation(
                OperationStatus.EMPTY.withType(OperationType.UPGRADE).withState(operation)));
    return deployment;
  }
}
