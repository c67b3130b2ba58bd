package dev.sluice.activities.cluster;

import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which of the specs in the status a cluster was made from: the Deployment says its generation. The
 * target may be frozen already while the old cluster still runs.
 */
public final class RunningSpec {

  private RunningSpec() {}

  /** Empty when the status has no spec at all. */
  public static Optional<FlinkDeploymentSpec> of(
      FlinkDeploymentStatus status, @Nullable Deployment deployment) {
    Long generation = deployment == null ? null : generation(deployment);
    FrozenSpec stable = status.lastStable();
    FrozenSpec reconciled = status.lastReconciled();
    return Stream.of(stable, reconciled)
        .flatMap(Stream::ofNullable)
        .filter(frozen -> generation != null && frozen.generation() == generation)
        .findFirst()
        .or(() -> Optional.ofNullable(stable))
        .or(() -> Optional.ofNullable(reconciled))
        .map(FrozenSpec::spec);
  }

  /** The generation a Deployment was made from; null when it does not say. */
  public static @Nullable Long generation(Deployment deployment) {
    Map<String, String> annotations = deployment.getMetadata().getAnnotations();
    if (annotations == null) {
      return null;
    }
    String text =
        annotations.getOrDefault(
            Annotations.GENERATION, annotations.get(Annotations.APACHE_GENERATION));
    try {
      return text == null ? null : Long.valueOf(text.trim());
    } catch (NumberFormatException notOurs) {
      return null;
    }
  }

  /** The job a Deployment was made to run; null when it does not say. */
  public static @Nullable String jobId(Deployment deployment) {
    Map<String, String> annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(Annotations.JOB_ID);
  }
}
