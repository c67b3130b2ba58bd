package dev.sluice.api.bluegreen;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The template of a FlinkBlueGreenDeployment as a session cluster and a job on it. Pure.
 *
 * @param cluster without a job and an Ingress, and with TaskManagers that are there before the job
 * @param job with the parallelism that the template asks for; null when the template has none
 * @param metadata of the template
 */
public record SessionTemplate(
    FlinkDeploymentSpec cluster, @Nullable JobSpec job, ChildMetadata metadata) {

  /** Flink's key for slots that a native cluster starts before a job asks for them. */
  public static final String MIN_SLOTS = "slotmanager.number-of-slots.min";

  /** Annotations that are about a job and mean nothing to a session cluster. */
  private static final Set<String> OF_JOB = Set.of(Annotations.STABLE_AFTER);

  /** Takes it apart. */
  public static SessionTemplate of(ChildTemplate template) {
    FlinkDeploymentSpec spec = template.spec();
    ClusterSize size = ClusterSize.of(spec);
    JobSpec job = spec.job();
    return new SessionTemplate(
        withTaskManagers(spec.withJob(null).withIngress(null), size),
        job == null ? null : job.withParallelism(size.parallelism()),
        template.metadata());
  }

  private static FlinkDeploymentSpec withTaskManagers(FlinkDeploymentSpec spec, ClusterSize size) {
    if (spec.mode() == KubernetesDeploymentMode.STANDALONE) {
      return spec.withTaskManager(
          spec.taskManager().withReplicas(Math.max(1, size.taskManagers())));
    }
    FlinkDeploymentSpec sized = spec.withTaskManager(spec.taskManager().withReplicas(null));
    FlinkConfiguration configuration = sized.configuration();
    return startsEarly(spec.flinkVersion()) && !configuration.has(MIN_SLOTS)
        ? sized.withConfiguration(
            configuration.with(MIN_SLOTS, Integer.toString(size.parallelism())))
        : sized;
  }

  /** Whether a native cluster of that version can start TaskManagers before a job asks for them. */
  public static boolean startsEarly(@Nullable FlinkVersion version) {
    return version != null && version.isAtLeast(FlinkVersion.V1_19);
  }

  /** Annotations of the session cluster. */
  public Map<String, String> clusterAnnotations() {
    Map<String, String> all = new TreeMap<>(metadata.annotations());
    all.keySet().removeAll(OF_JOB);
    return all;
  }

  /**
   * The template that a session cluster and its job were made from.
   *
   * @param cluster as it is
   * @param job as it is
   */
  public static FlinkDeploymentSpec whole(FlinkDeploymentSpec cluster, JobSpec job) {
    FlinkDeploymentSpec kept = cluster.withJob(job);
    FlinkDeploymentSpec plain =
        kept.withConfiguration(kept.configuration().without(MIN_SLOTS))
            .withTaskManager(kept.taskManager().withReplicas(null));
    return of(new ChildTemplate(ChildMetadata.EMPTY, plain)).cluster().equals(cluster)
        ? plain
        : kept;
  }
}
