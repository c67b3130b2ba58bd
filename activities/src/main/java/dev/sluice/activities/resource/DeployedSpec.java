package dev.sluice.activities.resource;

import dev.sluice.api.common.JobSpec;
import dev.sluice.workflows.activity.FreezeResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A spec of a resource with a job, as it stands in a status. */
public interface DeployedSpec extends TargetSpec {
  String READINESS = "kubernetes.operator.deployment.readiness.timeout";
  String ROLLBACK = "kubernetes.operator.deployment.rollback.enabled";
  Duration READINESS_DEFAULT = Duration.ofMinutes(5);

  /** Null when it has none. */
  @Nullable JobSpec job();

  /** In a few words, for people. */
  String summary();

  /** It runs no job. */
  default boolean isSuspended() {
    JobSpec job = job();
    return job != null && job.isSuspended();
  }

  /** Nothing was deployed before it. */
  boolean isFirst();

  /** Apache's operator froze it. */
  boolean isByApache();

  /** It runs no job, and none was deployed before it. */
  default boolean isUnstarted() {
    return isFirst() && isSuspended();
  }

  @Override
  default FreezeResult.Frozen frozen() {
    return new FreezeResult.Frozen(
        target(),
        Timeouts.millis(configuration(), READINESS, READINESS_DEFAULT),
        summary(),
        "true".equalsIgnoreCase(configuration().getOrDefault(ROLLBACK, "false").trim()));
  }

  @Override
  default @Nullable Long redeployNonce() {
    JobSpec job = job();
    return job == null ? null : job.savepointRedeployNonce();
  }
}
