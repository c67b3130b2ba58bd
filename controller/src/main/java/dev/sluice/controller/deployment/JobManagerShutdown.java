package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When to stop the JobManager of a job that has ended. Pure. */
final class JobManagerShutdown {

  private static final String SHUTDOWN_TTL = "kubernetes.operator.jm-deployment.shutdown-ttl";
  private static final Duration DEFAULT_TTL = Duration.ofDays(1);

  /** The longest that is valid. */
  private static final Duration LONGEST_TTL = Duration.ofDays(36_500);

  private JobManagerShutdown() {}

  /**
   * The time from which on its JobManager is of no use any more; empty while its job has not come
   * to its end, or will be recovered. At once without high availability: nothing else keeps
   * Kubernetes from running the job again with the next pod, from what it was first started with.
   */
  static Optional<Instant> stopAt(DeploymentSnapshot snapshot) {
    if (!snapshot.wantsJob() || snapshot.observed().cluster().jobManager() != JobManager.RUNNING) {
      return Optional.empty();
    }
    return snapshot
        .job()
        .filter(job -> isOfCluster(job, snapshot) && isForGood(job, snapshot))
        .map(job -> runsAgain(job, snapshot) ? Instant.EPOCH : end(job).plus(ttl(snapshot)));
  }

  private static boolean isOfCluster(Job job, DeploymentSnapshot snapshot) {
    String expected = snapshot.observed().cluster().jobId();
    return expected == null || expected.equals(job.id());
  }

  /** A failed one that will be recovered needs its JobManager, also before it is known why. */
  private static boolean isForGood(Job job, DeploymentSnapshot snapshot) {
    boolean recovered =
        job.state() == FlinkJobState.FAILED
            && RecoveryOptions.of(snapshot).failed()
            && !LostJob.isGivenUp(snapshot, RecoveryCause.JOB_FAILED);
    return job.state().isGloballyTerminal() && !recovered;
  }

  /** Of a failed one it must be known why first: Flink cannot be asked afterwards. */
  private static boolean runsAgain(Job job, DeploymentSnapshot snapshot) {
    return (job.state() != FlinkJobState.FAILED || job.failure().isPresent())
        && !HighAvailabilityMode.of(snapshot.deployedSpec().configuration()).isOn();
  }

  /** Nothing of an ended job changes any more. */
  private static Instant end(Job job) {
    return job.times().modified();
  }

  private static Duration ttl(DeploymentSnapshot snapshot) {
    FlinkConfiguration configuration = snapshot.operatorConfiguration();
    try {
      return configuration
          .duration(SHUTDOWN_TTL)
          .filter(ttl -> !ttl.isNegative() && ttl.compareTo(LONGEST_TTL) <= 0)
          .orElse(DEFAULT_TTL);
    } catch (IllegalArgumentException unreadable) {
      return DEFAULT_TTL; // of a spec that was deployed before the key was checked
    }
  }
}
