package dev.sluice.controller.common;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperatedResource;
import dev.sluice.api.common.OperationStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the resources whose jobs Sluice runs, whenever Prometheus asks, from what the caches hold.
 * A controller on standby has the same figures.
 */
public final class ResourceMetrics implements MultiCollector {

  private final KnownResources known;

  public ResourceMetrics(KnownResources known) {
    this.known = known;
  }

  @Override
  public MetricSnapshots collect() {
    return new MetricSnapshots(
        gauge(
            "sluice_resources",
            "Resources by lifecycle state",
            (status, labels) ->
                status.lifecycleState() == null
                    ? Stream.empty()
                    : Stream.of(
                        labels.add("lifecycle_state", String.valueOf(status.lifecycleState())))),
        gauge(
            "sluice_operations_open",
            "Open operations by state: Running, Blocked (retried), Parked (action required)",
            (status, labels) ->
                Stream.ofNullable(status.operation())
                    .filter(OperationStatus::isOpen)
                    .map(
                        it ->
                            labels
                                .add("operation", String.valueOf(it.type()))
                                .add("state", String.valueOf(it.state())))));
  }

  /**
   * @param of the labels under which a resource counts; empty when it does not
   */
  private GaugeSnapshot gauge(
      String name, String help, BiFunction<JobResourceStatus, Labels, Stream<Labels>> of) {
    Map<Labels, Long> counts =
        known
            .all()
            .filter(OperatedResource.class::isInstance)
            .map(it -> (OperatedResource<?, ?>) it)
            .flatMap(
                it ->
                    of.apply(
                        it.getStatus(),
                        Labels.of(
                            "kind", it.getKind(), "namespace", it.getMetadata().getNamespace())))
            .collect(Collectors.groupingBy(it -> it, Collectors.counting()));
    GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
    counts.forEach(
        (labels, count) ->
            all.dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(labels)
                    .value(count)
                    .build()));
    return all.build();
  }
}
