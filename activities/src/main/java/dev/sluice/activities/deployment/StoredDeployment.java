package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.DeletionSavepoint;
import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.OperationHistory;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment as it was read. */
final class StoredDeployment implements StoredResource {

  private final FlinkDeployment resource;
  private final DefaultConfiguration defaults;
  private final StableAfter defaultStableAfter;
  private final StartSnapshot snapshots;
  private final OwnedStatus status;
  private final OperationHistory history;
  private final @Nullable DeploymentTarget frozen;
  private final @Nullable DeploymentTarget stable;
  private StartSnapshot.@Nullable Start start;

  StoredDeployment(
      FlinkDeployment resource,
      StartSnapshot snapshots,
      DefaultConfiguration defaults,
      StableAfter defaultStableAfter) {
    this.resource = resource;
    this.snapshots = snapshots;
    this.defaults = defaults;
    this.defaultStableAfter = defaultStableAfter;
    this.status = OwnedStatus.of(resource.getStatus());
    this.frozen = parsedOrNull(status.reconciliation().lastReconciledSpec());
    this.stable = parsedOrNull(status.reconciliation().lastStableSpec());
    this.history = new OperationHistory(status, resource.getStatus().jobStatus(), frozen, stable);
  }

  private @Nullable DeploymentTarget parsedOrNull(@Nullable String json) {
    return DeploymentTarget.parsed(resource.getMetadata(), json, defaults);
  }

  @Override
  public ObjectMeta metadata() {
    return resource.getMetadata();
  }

  @Override
  public OwnedStatus status() {
    return status;
  }

  @Override
  public ClusterRef cluster() {
    return new ClusterRef(metadata().getNamespace(), metadata().getName());
  }

  @Override
  public TargetSpec newest() {
    FrozenSpec spec =
        new FrozenSpec(
            resource.getSpec().withJob(start().job()),
            generation(),
            history.isFirst(),
            FrozenSpec.defaultsFor(
                frozen == null ? null : frozen.spec(), metadata().getGeneration(), defaultsNow()));
    return new DeploymentTarget(metadata(), spec, spec.toJson(), null);
  }

  /** Looked up once, and only by who needs the newest spec. */
  private synchronized StartSnapshot.Start start() {
    StartSnapshot.Start known = start;
    if (known == null) {
      known =
          snapshots.of(
              resource.getSpec().job(),
              metadata().getNamespace(),
              Stream.of(frozen, stable)
                  .flatMap(Stream::ofNullable)
                  .flatMap(it -> Stream.ofNullable(it.spec().spec().job())),
              () -> history.startsFromSpec(metadata(), resource.getSpec().job()));
      start = known;
    }
    return known;
  }

  private FlinkConfiguration defaultsNow() {
    return defaults.forResource(metadata().getNamespace(), resource.getSpec().flinkVersion());
  }

  private long generation() {
    return Objects.requireNonNullElse(metadata().getGeneration(), 0L);
  }

  @Override
  public FlinkConfiguration operatorConfiguration() {
    if (frozen == null) {
      return newest().configuration();
    }
    return violations().isEmpty() // what a first job would start from is not looked up for that
        ? frozen.operatorConfiguration(resource.getSpec())
        : frozen.configuration();
  }

  @Override
  public @Nullable String problem() {
    List<Violation> violations = violations();
    return violations.isEmpty() ? start().problem() : Violation.joined(violations);
  }

  private List<Violation> violations() {
    return SpecValidation.validate(resource, frozen == null ? null : frozen.spec(), defaults);
  }

  @Override
  public Optional<TargetSpec> parsed(String json) {
    return Optional.ofNullable(parsedOrNull(json));
  }

  @Override
  public Optional<StableAfter> stableAfter() {
    return StableAfter.ifReadable(metadata().getAnnotations(), defaultStableAfter);
  }

  /** With the TaskManagers that the newest spec asks for, where their number is no upgrade. */
  @Override
  public Optional<TargetSpec> frozen() {
    boolean scales = TaskManagerScaling.scales(resource.getSpec()) && violations().isEmpty();
    return Optional.ofNullable(frozen).map(it -> scales ? it.scaledAs(resource.getSpec()) : it);
  }

  @Override
  public Optional<TargetSpec> stable() {
    return Optional.ofNullable(stable);
  }

  @Override
  public ObservedResource observed() {
    return history.observed(
        metadata(),
        new OperationHistory.Newest(newest(), problem(), isSame(frozen), isSame(stable)),
        deletionSavepointMs(),
        history.unstarted());
  }

  private boolean isSame(@Nullable DeploymentTarget other) {
    return other != null
        && !SpecDiff.between(other.spec().spec(), resource.getSpec()).kind().needsOperation();
  }

  private long deletionSavepointMs() {
    boolean deployed =
        resource.getSpec().isApplication() && status.reconciliation().lastReconciledSpec() != null;
    return deployed
        ? DeletionSavepoint.millis(
            resource.getSpec().configuration(),
            defaultsNow(),
            frozen == null ? null : frozen.configuration())
        : 0;
  }
}
