package dev.sluice.activities.deployment;

import dev.sluice.activities.manifest.cluster.ApplicationManifests;
import dev.sluice.activities.manifest.cluster.ClusterTarget;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.DeployedSpec;
import dev.sluice.activities.resource.Parallelism;
import dev.sluice.activities.resource.StateOptionsReader;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a FlinkDeployment at one generation.
 *
 * @param metadata of the resource
 * @param spec the spec
 * @param json as it stands in the status, or would
 * @param taskManagers number of TaskManagers; null where the spec decides
 */
record DeploymentTarget(
    ObjectMeta metadata, FrozenSpec spec, String json, @Nullable Integer taskManagers)
    implements DeployedSpec {

  private static final ApplicationManifests MANIFESTS = new ApplicationManifests();

  @Override
  public Observation.Target target() {
    JobSpec job = spec.spec().job();
    Observation.StateOptions options = StateOptionsReader.of(configuration());
    return job == null
        ? Observation.Target.session(spec.generation(), spec.spec().flinkVersion(), options)
        : new Observation.Target(
            spec.generation(),
            job.upgradeMode(),
            job.startPath(),
            spec.spec().flinkVersion(),
            options,
            isSuspended(),
            false,
            false);
  }

  @Override
  public @Nullable JobSpec job() {
    return spec.spec().job();
  }

  @Override
  public boolean isFirst() {
    return spec.firstDeployment();
  }

  /** Apache's operator does not write down the defaults that held. */
  @Override
  public boolean isByApache() {
    return FrozenSpec.parse(json).defaults() == null;
  }

  @Override
  public String summary() {
    return Summary.of(spec.spec());
  }

  @Override
  public FlinkConfiguration configuration() {
    return spec.effective().configuration();
  }

  /** What the operator goes by when this is deployed, and that spec is the newest. */
  FlinkConfiguration operatorConfiguration(FlinkDeploymentSpec newest) {
    return FrozenSpec.parse(json).operatorConfiguration(newest);
  }

  /**
   * In reactive mode the same, but with the TaskManagers that another spec asks for: they may have
   * come and gone since this one was frozen.
   */
  DeploymentTarget scaledAs(FlinkDeploymentSpec newest) {
    return TaskManagerScaling.scales(spec.spec()) && TaskManagerScaling.scales(newest)
        ? new DeploymentTarget(metadata, spec, json, TaskManagerScaling.taskManagers(spec, newest))
        : this;
  }

  @Override
  public ClusterManifests render(JobRef job, StateRef restoreFrom) {
    ClusterManifests rendered =
        MANIFESTS.render(
            new ClusterTarget(
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                spec.effective(),
                spec.generation(),
                job.jobId(),
                restoreFrom));
    return taskManagers == null ? rendered : rendered.withTaskManagers(taskManagers);
  }

  @Override
  public Parallelism parallelism() {
    ClusterSize size = ClusterSize.of(spec.effective());
    return new Parallelism(
        size.parallelism(),
        InPlaceScaling.overrides(configuration()),
        spec.spec().mode() == KubernetesDeploymentMode.STANDALONE
            ? Integer.valueOf(Math.max(1, size.taskManagers()))
            : null,
        configuration().integer(InPlaceScaling.MAXIMUM).filter(it -> it > 0).orElse(null));
  }

  @Override
  public @Nullable String notScaledFrom(TargetSpec runs) {
    return runs instanceof DeploymentTarget other
        ? InPlaceScaling.problem(other.spec, spec).orElse(null)
        : "what runs is of another kind";
  }

  @Override
  public boolean isToldByVerticesOf(TargetSpec runs) {
    return runs instanceof DeploymentTarget other
        && InPlaceScaling.isToldByVertices(other.spec, spec);
  }

  /** Empty when it cannot be read. */
  static Optional<DeploymentTarget> parsed(
      ObjectMeta metadata, String json, DefaultConfiguration defaults) {
    try {
      FrozenSpec spec = FrozenSpec.parse(json);
      FlinkConfiguration now =
          defaults.forResource(metadata.getNamespace(), spec.spec().flinkVersion());
      return Optional.of(new DeploymentTarget(metadata, spec.withMissingDefaults(now), json, null));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
