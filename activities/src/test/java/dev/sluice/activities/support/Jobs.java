package dev.sluice.activities.support;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The job of the resource {@code default/orders} and what belongs to it. */
public final class Jobs {

  public static final ResourceRef RESOURCE =
      new ResourceRef(
          "99999999-kube-system",
          "FlinkDeployment",
          "default",
          "orders",
          "11111111-aaaa-bbbb-cccc-222222222222");
  public static final ClusterRef CLUSTER = new ClusterRef("default", "orders");
  public static final Endpoint ENDPOINT = Endpoint.of(CLUSTER);
  public static final JobRef JOB = new JobRef(CLUSTER, FakeFlink.JOB);

  private Jobs() {}

  /** The job, which has finished then. */
  public static JobOverview finished(Instant at) {
    return new JobOverview(
        FakeFlink.JOB,
        "orders",
        FlinkJobState.FINISHED,
        FlinkJobState.FINISHED.name(),
        new JobOverview.Times(FakeFlink.BEGUN, Optional.of(at), at),
        FakeFlink.tasks(0, 8, 0));
  }

  /** The cluster that runs the job, with that configuration. */
  public static RunningCluster cluster(Map<String, String> configuration) {
    return cluster(FakeFlink.JOB, configuration);
  }

  /** The cluster as it would be if it had been made for that job; null: it does not say. */
  public static RunningCluster cluster(@Nullable String jobId, Map<String, String> configuration) {
    return new RunningCluster(CLUSTER, ENDPOINT, FlinkConfiguration.of(configuration), jobId, 7L);
  }
}
