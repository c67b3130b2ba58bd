package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.DeletionSavepoint;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import java.util.List;
import java.util.Optional;

/** A FlinkDeployment as it was read. */
final class StoredDeployment extends StoredJobResource<DeploymentTarget> {
  private final FlinkDeployment resource;
  private final DefaultConfiguration defaults;

  StoredDeployment(FlinkDeployment resource, DefaultConfiguration defaults, Starts starts) {
    super(
        resource.getMetadata(),
        resource.getSpec().job(),
        resource.getStatus(),
        json -> DeploymentTarget.parsed(resource.getMetadata(), json, defaults),
        starts);
    this.resource = resource;
    this.defaults = defaults;
  }

  @Override
  public ClusterRef cluster() {
    return new ClusterRef(metadata().getNamespace(), metadata().getName());
  }

  @Override
  public TargetSpec newest() {
    DeploymentTarget frozen = deployed();
    FrozenSpec spec =
        new FrozenSpec(
            resource.getSpec().withJob(start().job()),
            generation(),
            isFirst(),
            FrozenSpec.defaultsFor(
                frozen == null ? null : frozen.spec(), metadata().getGeneration(), defaultsNow()));
    return new DeploymentTarget(metadata(), spec, spec.toJson(), null);
  }

  private FlinkConfiguration defaultsNow() {
    return defaults.forResource(metadata().getNamespace(), resource.getSpec().flinkVersion());
  }

  @Override
  public FlinkConfiguration operatorConfiguration() {
    DeploymentTarget frozen = deployed();
    if (frozen == null) {
      return newest().configuration();
    }
    return violations().isEmpty() // what a first job would start from is not looked up for that
        ? frozen.operatorConfiguration(resource.getSpec())
        : frozen.configuration();
  }

  @Override
  protected List<Violation> violations() {
    DeploymentTarget frozen = deployed();
    return SpecValidation.validate(resource, frozen == null ? null : frozen.spec(), defaults);
  }

  /** With the TaskManagers that the newest spec asks for, where their number is no upgrade. */
  @Override
  public Optional<TargetSpec> frozen() {
    boolean scales = TaskManagerScaling.scales(resource.getSpec()) && violations().isEmpty();
    return Optional.ofNullable(deployed()).map(it -> scales ? it.scaledAs(resource.getSpec()) : it);
  }

  @Override
  protected boolean isSame(DeploymentTarget other) {
    return !SpecDiff.between(other.spec().spec(), resource.getSpec()).kind().needsOperation();
  }

  @Override
  protected long deletionSavepointMs() {
    DeploymentTarget frozen = deployed();
    return resource.getSpec().isApplication()
        ? DeletionSavepoint.millis(
            resource.getSpec().configuration(),
            defaultsNow(),
            frozen == null ? null : frozen.configuration())
        : 0;
  }
}
