package dev.sluice.activities.bluegreen;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether the job of a child is up at this very moment, by the word of its JobManager: the status
 * of a child is as old as its controller last wrote it.
 */
final class JobCheck {

  /** Less than what is left of an attempt whose window closes in this moment. */
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final BlueGreenStore store;
  private final ResourceStores stores;
  private final FlinkRest flink;

  /**
   * @param stores of the kinds that run jobs
   */
  JobCheck(BlueGreenStore store, ResourceStores stores, FlinkRest flink) {
    this.store = store;
    this.stores = stores;
    this.flink = flink;
  }

  /** Why it is not up, though its status says that it is ready; empty when it is. Blocks. */
  Optional<String> problem(ResourceRef parent, ChildSeen child) {
    if (!(child.phase() instanceof Phase.Ready ready)) {
      return Optional.empty(); // no job runs that could be asked for
    }
    JobsOverview jobs;
    try {
      jobs = flink.within(ANSWER).jobsOverview(endpoint(parent, child.color()));
    } catch (FlinkRestException silent) {
      return Optional.of("its JobManager does not answer: " + silent.getMessage());
    }
    Optional<JobOverview> job = jobs.job(ready.jobId());
    if (job.isEmpty()) {
      return Optional.of("Flink does not know job " + ready.jobId());
    }
    return job.filter(it -> it.state() != FlinkJobState.FINISHED && !it.isUpAsBatch())
        .map(it -> "its job is " + it.display());
  }

  /** Where its JobManager answers. Blocks for two calls. */
  Endpoint endpoint(ResourceRef parent, Color color) {
    return cluster(parent, color).endpoint();
  }

  /** Its cluster. Blocks for two calls. */
  RunningCluster cluster(ResourceRef parent, Color color) {
    FlinkDeployment child =
        store.find(parent, color).orElseThrow(() -> BlueGreenStatus.outdated("the child is gone"));
    ResourceRef ref =
        new ResourceRef(
            parent.kubernetes(),
            FlinkDeployment.KIND,
            child.getMetadata().getNamespace(),
            child.getMetadata().getName(),
            child.getMetadata().getUid());
    return stores.of(ref).running(ref);
  }
}
