package dev.sluice.bootstrap;

import com.uber.m3.tally.RootScopeBuilder;
import com.uber.m3.tally.Scope;
import com.uber.m3.tally.ScopeCloseException;
import com.uber.m3.util.Duration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One registry for everything a process measures, as Prometheus reads it. */
public final class Metrics implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Metrics.class);
  private static final double REPORT_SECONDS = 5;

  private final PrometheusMeterRegistry registry = bounded();
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Scope temporal =
      new RootScopeBuilder()
          .reporter(new MicrometerClientStatsReporter(registry))
          .reportEvery(Duration.ofSeconds(REPORT_SECONDS));

  /** A registry with the JVM's and the process's own figures in it. */
  public Metrics() {
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    gc.bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /**
   * Without what makes a series of each attempt or bucket: Temporal's SDK has 69 buckets for each
   * timer, JOSDK counts by the number of the retry, of which there may be any number.
   */
  private static PrometheusMeterRegistry bounded() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry
        .config()
        .meterFilter(
            MeterFilter.ignoreTags(
                "reconciliations.retries.number", "reconciliations.retries.last"))
        .meterFilter(
            new MeterFilter() {
              @Override
              public DistributionStatisticConfig configure(
                  Meter.Id id, DistributionStatisticConfig config) {
                return DistributionStatisticConfig.builder()
                    .percentilesHistogram(false)
                    .build()
                    .merge(config);
              }
            });
    return registry;
  }

  /** Where to register meters. */
  public PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * Tells whether a file cannot be used as it is now.
   *
   * @param name what the file is, such as {@code flink.tls}
   */
  public void watch(String name, WatchedFile<?> file) {
    registry.gauge("sluice." + name + ".broken", file, it -> it.problem().isPresent() ? 1 : 0);
  }

  /** Where Temporal's SDK reports to; its figures are in {@link #registry} some seconds later. */
  public Scope temporalScope() {
    return temporal;
  }

  /** What Prometheus scrapes. */
  public String scrape() {
    return registry.scrape();
  }

  @Override
  public void close() {
    try {
      temporal.close();
    } catch (ScopeCloseException lost) {
      LOG.warn("the last metrics of the Temporal client are lost", lost);
    }
    gc.close();
    registry.close();
  }
}
