package dev.sluice.controller.common;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.OperatedResource;
import dev.sluice.api.common.OperationStatus;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Counts the resources whose jobs Sluice runs, and their state, at each scrape, from the caches. A
 * controller on standby has the same figures.
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
                        labels.add("lifecycle_state", String.valueOf(status.lifecycleState()))),
            status -> 1),
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
                                .add("state", String.valueOf(it.state()))),
            status -> 1),
        gauge(
            "sluice_checkpoint_bytes",
            "Size of the newest completed checkpoints",
            (status, labels) -> Stream.of(labels).filter(it -> checkpointBytes(status) > 0),
            ResourceMetrics::checkpointBytes));
  }

  /** As the cluster reports it; 0 when it does not. */
  private static long checkpointBytes(JobResourceStatus status) {
    Map<String, String> info = status.clusterInfo();
    String size = info == null ? null : info.get("state-size");
    return size != null && size.matches("\\d{1,18}") ? Long.parseLong(size) : 0;
  }

  /**
   * @param of the labels under which a resource counts; empty when it does not
   * @param value what it adds under each
   */
  private GaugeSnapshot gauge(
      String name,
      String help,
      BiFunction<JobResourceStatus, Labels, Stream<Labels>> of,
      ToLongFunction<JobResourceStatus> value) {
    Map<Labels, Long> sums = new HashMap<>();
    known
        .all()
        .filter(OperatedResource.class::isInstance)
        .map(it -> (OperatedResource<?, ?>) it)
        .forEach(
            it ->
                of.apply(it.getStatus(), labels(it))
                    .forEach(
                        labels ->
                            sums.merge(labels, value.applyAsLong(it.getStatus()), Long::sum)));
    GaugeSnapshot.Builder all = GaugeSnapshot.builder().name(name).help(help);
    sums.forEach(
        (labels, sum) ->
            all.dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labels).value(sum).build()));
    return all.build();
  }

  /** Not {@code namespace}: Prometheus has that of the scraped pod there. */
  private static Labels labels(OperatedResource<?, ?> resource) {
    return Labels.of(
        "kind",
        resource.getKind(),
        "resource_namespace",
        String.valueOf(resource.getMetadata().getNamespace()));
  }
}
