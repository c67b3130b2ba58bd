package dev.sluice.activities.resource;

import dev.sluice.api.deployment.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.JobSpec;
import dev.sluice.api.deployment.UpgradeMode;
import dev.sluice.workflows.resource.Frozen;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a workflow is told of a frozen spec. */
final class FrozenAnswer {

  private static final String READINESS = "kubernetes.operator.deployment.readiness.timeout";
  private static final Duration READINESS_DEFAULT = Duration.ofMinutes(5);

  // Flink's own default for checkpoints, which is also its limit for savepoints
  private static final String SAVEPOINT = "execution.checkpointing.timeout";
  private static final Duration SAVEPOINT_DEFAULT = Duration.ofMinutes(10);

  private FrozenAnswer() {}

  static Frozen of(FrozenSpec frozen) {
    FlinkDeploymentSpec spec = frozen.spec();
    FlinkConfiguration configuration = spec.configuration();
    return new Frozen(
        true,
        null,
        frozen.generation(),
        upgradeMode(spec),
        configuration.duration(READINESS).orElse(READINESS_DEFAULT).toMillis(),
        savepointTimeout(spec).toMillis(),
        Summary.of(spec));
  }

  /** The newest spec is not valid; the rest tells what was frozen before. */
  static Frozen invalid(String problem, @Nullable FrozenSpec before) {
    if (before == null) {
      return new Frozen(
          false,
          problem,
          0,
          UpgradeMode.STATELESS.wire(),
          READINESS_DEFAULT.toMillis(),
          SAVEPOINT_DEFAULT.toMillis(),
          "nothing was deployed");
    }
    Frozen answer = of(before);
    return new Frozen(
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
