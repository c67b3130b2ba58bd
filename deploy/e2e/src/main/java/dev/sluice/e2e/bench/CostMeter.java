package dev.sluice.e2e.bench;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.util.List;

/** Measures what controller and worker do, from one moment to another. */
final class CostMeter {

  private static final String REQUESTS = "sluice_flink_requests_seconds_count";
  private static final String PASSES = "sluice_clusters_passes_total";

  private final AuditLog audit;
  private final Deployments deployments;

  CostMeter(ClusterConfig config, Deployments deployments) {
    this.audit = new AuditLog(config.auditLog());
    this.deployments = deployments;
  }

  /**
   * What controller and worker did in some time.
   *
   * @param api their calls to the API server
   * @param flinkRequests their requests to all Flink clusters
   * @param passes how often the controller looked at a Flink cluster
   */
  record Cost(CallCount api, long flinkRequests, long passes) {}

  /** A moment. */
  record Mark(long audit, double flinkRequests, double passes) {}

  Mark mark() {
    String metrics = metrics();
    return new Mark(audit.end(), sum(metrics, REQUESTS), sum(metrics, PASSES));
  }

  /** From that moment until now. */
  Cost since(Mark mark) {
    Mark now = mark();
    return new Cost(
        audit.since(mark.audit()),
        Math.round(now.flinkRequests() - mark.flinkRequests()),
        Math.round(now.passes() - mark.passes()));
  }

  /** Sum over all samples of a metric in the text format of Prometheus; 0 when there are none. */
  static double sum(String text, String metric) {
    return text.lines()
        .filter(line -> line.startsWith(metric + " ") || line.startsWith(metric + "{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private String metrics() {
    List<String> addresses = DeployedObjects.programs(deployments.client());
    if (addresses.size() < 2) {
      throw new ClusterException("controller and worker do not both run: see './sluice status'");
    }
    StringBuilder text = new StringBuilder();
    try {
      for (String address : addresses) {
        text.append(FlinkApi.text("http://" + address + ":8080/metrics"));
      }
    } catch (IOException e) {
      throw new ClusterException("no metrics of controller or worker: " + e, e);
    }
    return text.toString();
  }
}
