package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.workflows.model.StateRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cluster to create: everything its manifests depend on.
 *
 * @param namespace of the FlinkDeployment and of everything made for it
 * @param name of the FlinkDeployment; also Flink's {@code kubernetes.cluster-id}
 * @param uid of the FlinkDeployment, which owns what is made for it
 * @param spec the frozen spec of an application cluster, or of a session cluster
 * @param generation the spec's {@code metadata.generation}
 * @param jobId 32 hex digits, fixed before the cluster is made, so that a JobManager that starts
 *     again runs the same job and not another. It distinguishes one session cluster from the next,
 *     and no job on it has it
 * @param restore what the job starts from; never {@link StateRef.Unknown}. Flink ignores a path
 *     while high-availability metadata of the same cluster holds a checkpoint, so that has to be
 *     gone
 */
public record ClusterTarget(
    String namespace,
    String name,
    String uid,
    FlinkDeploymentSpec spec,
    long generation,
    String jobId,
    StateRef restore) {

  /**
   * Checks what the manifests cannot do without.
   *
   * @throws IllegalArgumentException when the state is not known, or the spec does not name the
   *     version of Flink
   */
  public ClusterTarget {
    if (!restore.isKnown()) {
      throw new IllegalArgumentException("A job cannot be started from " + restore.display());
    }
    if (spec.flinkVersion() == null) {
      throw new IllegalArgumentException("spec.flinkVersion: must be given");
    }
  }

  /** Whether it has no job of its own. */
  boolean isSession() {
    return spec.job() == null;
  }

  /** {@code spec.job}, which is there unless it is a session cluster. */
  JobSpec job() {
    return require(spec.job());
  }

  /** {@code spec.flinkVersion}, which is there. */
  FlinkVersion flinkVersion() {
    return require(spec.flinkVersion());
  }

  /** Whether TaskManagers are a Deployment, and the JobManager makes none. */
  boolean isStandalone() {
    return spec.mode() == KubernetesDeploymentMode.STANDALONE;
  }

  private static <T> T require(@Nullable T checkedBefore) {
    return Objects.requireNonNull(checkedBefore);
  }
}
