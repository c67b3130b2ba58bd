package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.controller.observation.ObservedCluster;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.controller.observation.ObservedCluster.NotedEnd;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.status.GivenUpRecovery;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When to note the end of a job, and when to stop its JobManager. Pure. */
final class JobManagerShutdown {

  private static final String SHUTDOWN_TTL = "kubernetes.operator.jm-deployment.shutdown-ttl";
  private static final Duration DEFAULT_TTL = Duration.ofDays(1);

  /** The longest that is valid. */
  private static final Duration LONGEST_TTL = Duration.ofDays(36_500);

  private JobManagerShutdown() {}

  /** How and when a job ended. */
  private record End(FlinkJobState as, Instant at, boolean explained) {}

  /**
   * The time from which on its JobManager is of no use any more; empty while its job has not come
   * to its end, or will be recovered. At once without high availability: nothing else keeps
   * Kubernetes from running the job again with the next pod, from what it was first started with.
   */
  static Optional<Instant> stopAt(SeenDeployment snapshot) {
    return snapshot.wantsJob() ? useless(snapshot) : Optional.empty();
  }

  /**
   * Whether the end of the job has to be noted now. With high availability a JobManager that is
   * restarted knows nothing of a job that has ended, so this must not wait for {@link #stopAt}.
   */
  static boolean mustNote(SeenDeployment snapshot) {
    return snapshot.wantsJob()
        && remembers(snapshot)
        && snapshot.observed().cluster().notedEnd() == null
        && told(snapshot)
            .filter(
                end -> end.as() != FlinkJobState.FAILED || !RecoveryOptions.of(snapshot).failed())
            .isPresent();
  }

  /** Whether a Finish is to note the end only, because it is too early to stop the JobManager. */
  static boolean isTooEarly(SeenDeployment snapshot) {
    return remembers(snapshot)
        && snapshot.observed().cluster().jobManager() != JobManager.STOPPED
        && useless(snapshot).filter(at -> !at.isAfter(snapshot.observed().at())).isEmpty();
  }

  private static Optional<Instant> useless(SeenDeployment snapshot) {
    return told(snapshot)
        .or(() -> noted(snapshot))
        .filter(end -> isForGood(end, snapshot))
        .map(end -> runsAgain(end, snapshot) ? Instant.EPOCH : end.at().plus(ttl(snapshot)));
  }

  /** What Flink says. Nothing of an ended job changes any more. */
  private static Optional<End> told(SeenDeployment snapshot) {
    return snapshot.observed().cluster().jobManager() == JobManager.RUNNING
        ? snapshot
            .job()
            .filter(job -> isOfCluster(job, snapshot) && job.state().isGloballyTerminal())
            .map(job -> new End(job.state(), job.times().modified(), job.failure().isPresent()))
        : Optional.empty();
  }

  /** What was noted of a job that Flink does not tell of. */
  private static Optional<End> noted(SeenDeployment snapshot) {
    ObservedCluster cluster = snapshot.observed().cluster();
    NotedEnd note = cluster.notedEnd();
    boolean counts =
        remembers(snapshot)
            && cluster.jobManager() != JobManager.STOPPED
            && snapshot.job().isEmpty();
    return note == null || !counts
        ? Optional.empty()
        : Optional.of(new End(note.as(), note.at(), true));
  }

  private static boolean isOfCluster(Job job, SeenDeployment snapshot) {
    String expected = snapshot.observed().cluster().jobId();
    return expected == null || expected.equals(job.id());
  }

  /** A failed one that will be recovered needs its JobManager, also before it is known why. */
  private static boolean isForGood(End end, SeenDeployment snapshot) {
    return end.as() != FlinkJobState.FAILED
        || !RecoveryOptions.of(snapshot).failed()
        || GivenUpRecovery.is(snapshot, RecoveryCause.JOB_FAILED);
  }

  /** Of a failed one it must be known why first: Flink cannot be asked afterwards. */
  private static boolean runsAgain(End end, SeenDeployment snapshot) {
    return (end.as() != FlinkJobState.FAILED || end.explained()) && !remembers(snapshot);
  }

  private static boolean remembers(SeenDeployment snapshot) {
    return HighAvailabilityMode.of(snapshot.deployedSpec().configuration()).isOn();
  }

  private static Duration ttl(SeenDeployment snapshot) {
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
