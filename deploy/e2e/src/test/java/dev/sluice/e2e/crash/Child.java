package dev.sluice.e2e.crash;

import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.BlueGreen;
import dev.sluice.e2e.job.FlinkCluster;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.SessionJob;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;

/**
 * A child of a FlinkBlueGreenDeployment.
 *
 * @param color of it
 * @param job its FlinkDeployment: an application, or the session cluster of its job
 * @param onSession its FlinkSessionJob, which it has with exactly-once cut-overs only
 */
record Child(String color, Job job, SessionJob onSession) {

  static Child of(Scene scene, BlueGreen parent, String color) {
    Job job = parent.child(color);
    return new Child(color, job, new SessionJob(scene.cluster(), job, job.name()));
  }

  FlinkCluster flink() {
    return job.flink();
  }

  /** The id of its job, as its status names it. */
  String jobId() {
    return onSession.find().isPresent() ? onSession.jobId() : job.get().status("/jobStatus/jobId");
  }

  Counts counts() {
    return flink().counts(jobId());
  }

  /** Whether neither of its resources exists. */
  boolean isGone() {
    return job.find().isEmpty() && onSession.find().isEmpty();
  }

  Optional<Pod> pod(Victim victim) {
    return victim == Victim.JOBMANAGER ? flink().jobManager() : flink().taskManager();
  }
}
