package dev.sluice.e2e.crash;

import dev.sluice.e2e.job.BlueGreen;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.Job;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * A child of a FlinkBlueGreenDeployment.
 *
 * @param color of it
 * @param job its FlinkDeployment
 */
record Child(String color, Job job) {

  static Child of(BlueGreen parent, String color) {
    return new Child(color, parent.child(color));
  }

  FlinkCluster flink() {
    return job.flink();
  }

  /** The id of its job, as its status names it. */
  String jobId() {
    return job.get().status("/jobStatus/jobId");
  }

  Counts counts() {
    return flink().counts(jobId());
  }

  boolean isGone() {
    return job.find().isEmpty();
  }

  Optional<Pod> pod(Victim victim) {
    return victim == Victim.JOBMANAGER ? flink().jobManager() : flink().taskManager();
  }
}
