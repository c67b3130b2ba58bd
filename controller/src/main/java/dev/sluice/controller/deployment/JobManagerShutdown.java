package dev.sluice.controller.deployment;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.controller.job.RecoveryDecision;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When the end of a job is recorded, and when its cluster goes after that. Pure. */
final class JobManagerShutdown {

  private static final String SHUTDOWN_TTL = "kubernetes.operator.jm-deployment.shutdown-ttl";
  private static final Duration DEFAULT_TTL = Duration.ofDays(1);

  /** The longest that is valid. */
  private static final Duration LONGEST_TTL = Duration.ofDays(36_500);

  private JobManagerShutdown() {}

  /**
   * Whether a Finish is due: with high availability first to record the end, later to delete the
   * cluster; without for both at once, since nothing else keeps Kubernetes from running the job
   * again with the next pod, from what it was first started with.
   */
  static boolean isDue(SeenDeployment seen) {
    Instant now = seen.observed().at();
    return seen.endedJob().isPresent()
        ? deleteAt(seen).filter(at -> !at.isAfter(now)).isPresent()
        : seen.wantsJob() && ended(seen).filter(job -> isForGood(job, seen)).isPresent();
  }

  /**
   * When the cluster is deleted whose job's end is recorded; empty where it stays. What Flink did
   * not tell when the job had ended it is asked once more then.
   */
  static Optional<Instant> deleteAt(SeenDeployment seen) {
    boolean remembers = seen.hasHighAvailability();
    boolean told = ended(seen).isPresent();
    boolean forgotten = remembers && seen.job().isEmpty();
    return seen.wantsJob() && seen.observed().cluster().present()
        ? seen.endedJob()
            .filter(it -> it.recordedAt() != null)
            .filter(it -> told || (forgotten && it.left() != null))
            .flatMap(
                it ->
                    remembers || it.left() == null
                        ? keptUntil(it, seen)
                        : Optional.of(Instant.EPOCH))
        : Optional.empty();
  }

  /** Whether a Finish only records the end, because the cluster stays for its shutdown-ttl. */
  static boolean isTooEarly(SeenDeployment seen) {
    Instant now = seen.observed().at();
    return seen.hasHighAvailability()
        && seen.endedJob()
            .map(it -> keptUntil(it, seen).filter(at -> !at.isAfter(now)).isEmpty())
            .orElseGet(() -> !ttl(seen).isZero());
  }

  /** What Flink says of the job of the cluster, which has ended. */
  private static Optional<Job> ended(SeenDeployment seen) {
    return seen.job()
        .filter(job -> seen.isExpected(job.id()))
        .filter(job -> job.state().isGloballyTerminal());
  }

  /**
   * One that will be recovered needs its JobManager, also before it is known why it failed; and
   * without high availability Flink cannot be asked why afterwards.
   */
  private static boolean isForGood(Job job, SeenDeployment seen) {
    if (job.state() != FlinkJobState.FAILED) {
      return true;
    }
    boolean recovers =
        seen.recovery().failed() && !RecoveryDecision.isGivenUp(seen, RecoveryCause.JOB_FAILED);
    return !recovers && (seen.hasHighAvailability() || job.failure().isPresent());
  }

  /** Empty where it is not known when the end was recorded: the cluster stays. */
  private static Optional<Instant> keptUntil(EndedJob ended, SeenDeployment seen) {
    return WrittenTime.read(ended.recordedAt()).map(at -> at.plus(ttl(seen)));
  }

  private static Duration ttl(SeenDeployment seen) {
    // the spec may have been deployed before the key was checked
    return FlinkConfiguration.readable(() -> seen.operatorConfiguration().duration(SHUTDOWN_TTL))
        .filter(ttl -> !ttl.isNegative() && ttl.compareTo(LONGEST_TTL) <= 0)
        .orElse(DEFAULT_TTL);
  }
}
