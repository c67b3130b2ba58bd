package dev.sluice.activities.resource;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.resource.FrozenTarget;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a workflow is told of a frozen spec. */
final class FrozenTargets {

  private static final String READINESS = "kubernetes.operator.deployment.readiness.timeout";
  private static final Duration READINESS_DEFAULT = Duration.ofMinutes(5);

  // Flink's own default for checkpoints, which is also its limit for savepoints
  private static final String SAVEPOINT = "execution.checkpointing.timeout";
  private static final Duration SAVEPOINT_DEFAULT = Duration.ofMinutes(10);

  private FrozenTargets() {}

  static FrozenTarget of(FrozenSpec frozen) {
    FlinkDeploymentSpec spec = frozen.spec();
    FlinkConfiguration configuration = spec.configuration();
    return new FrozenTarget(
        true,
        null,
        frozen.generation(),
        upgradeMode(spec),
        configuration.duration(READINESS).orElse(READINESS_DEFAULT).toMillis(),
        savepointTimeout(spec).toMillis(),
        Summary.of(spec));
  }

  /** The newest spec is not valid; the rest tells what was frozen before. */
  static FrozenTarget invalid(String problem, @Nullable FrozenSpec before) {
    if (before == null) {
      return new FrozenTarget(
          false,
          problem,
          0,
          UpgradeMode.STATELESS.wire(),
          READINESS_DEFAULT.toMillis(),
          SAVEPOINT_DEFAULT.toMillis(),
          "nothing was deployed");
    }
    FrozenTarget answer = of(before);
    return new FrozenTarget(
        false,
        problem,
        answer.generation(),
        answer.upgradeMode(),
        answer.readinessTimeoutMs(),
        answer.savepointTimeoutMs(),
        answer.summary());
  }

  /** How long Flink lets a savepoint take. */
  static Duration savepointTimeout(FlinkDeploymentSpec spec) {
    return spec.configuration().duration(SAVEPOINT).orElse(SAVEPOINT_DEFAULT);
  }

  static String upgradeMode(FlinkDeploymentSpec spec) {
    JobSpec job = spec.job();
    return (job == null ? UpgradeMode.STATELESS : job.upgradeMode()).wire();
  }
}
