package dev.sluice.activities.deployment;

import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SavepointInfo;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.ReactiveMode;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment as it was read. */
final class StoredDeployment implements StoredResource {

  private static final String SAVEPOINT_ON_DELETION =
      "kubernetes.operator.job.savepoint-on-deletion";

  // Flink's own default for checkpoints, which is also its limit for savepoints
  private static final String SAVEPOINT_TIMEOUT = "execution.checkpointing.timeout";
  private static final Duration SAVEPOINT_TIMEOUT_DEFAULT = Duration.ofMinutes(10);

  /**
   * What Apache's operator, which records a path and nothing else, writes when only
   * high-availability metadata is left.
   */
  private static final String APACHE_HA_METADATA = "KUBERNETES_OPERATOR_LAST_STATE";

  /** Stands for the job that a resume will start. */
  private static final String NO_JOB = "0".repeat(32);

  private final FlinkDeployment resource;
  private final DefaultConfiguration defaults;
  private final StableAfter defaultStableAfter;
  private final StartSnapshot snapshots;
  private final OwnedStatus status;
  private final @Nullable DeploymentTarget frozen;
  private final @Nullable DeploymentTarget stable;
  private StartSnapshot.@Nullable Start start;

  StoredDeployment(FlinkDeployment resource) {
    this(resource, DefaultConfiguration.NONE, StableAfter.NONE);
  }

  StoredDeployment(
      FlinkDeployment resource, DefaultConfiguration defaults, StableAfter defaultStableAfter) {
    this(
        resource,
        new StartSnapshot(
            (namespace, name) -> new StartSnapshot.Answer(null, "cannot be looked up here")),
        defaults,
        defaultStableAfter);
  }

  StoredDeployment(
      FlinkDeployment resource,
      StartSnapshot snapshots,
      DefaultConfiguration defaults,
      StableAfter defaultStableAfter) {
    this.resource = resource;
    this.snapshots = snapshots;
    this.defaults = defaults;
    this.defaultStableAfter = defaultStableAfter;
    this.status = owned(resource.getMetadata(), resource.getStatus());
    this.frozen = parsedOrNull(status.reconciliation().lastReconciledSpec());
    this.stable = parsedOrNull(status.reconciliation().lastStableSpec());
  }

  private @Nullable DeploymentTarget parsedOrNull(@Nullable String json) {
    return DeploymentTarget.parsed(resource.getMetadata(), json, defaults);
  }

  private static OwnedStatus owned(ObjectMeta metadata, FlinkDeploymentStatus status) {
    JobStatus job = status.jobStatus();
    return new OwnedStatus(
        Objects.requireNonNullElse(status.reconciliationStatus(), ReconciliationStatus.EMPTY),
        status.operation(),
        status.recordedState(),
        job == null ? null : job.upgradeSavepointPath(),
        status.recovery(),
        RequestedSnapshot.taken(
            metadata,
            status.takenSavepoint(),
            status.earlierSavepoints(),
            status.snapshotTriggers()));
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
    boolean first = frozen == null || (frozen.spec().firstDeployment() && !ranBefore());
    FrozenSpec spec =
        new FrozenSpec(
            start().spec(),
            generation(),
            first,
            FrozenSpec.defaultsFor(
                frozen == null ? null : frozen.spec(), metadata().getGeneration(), defaultsNow()));
    return new DeploymentTarget(metadata(), spec, spec.toJson());
  }

  /** Looked up once, and only by who needs the newest spec. */
  private synchronized StartSnapshot.Start start() {
    StartSnapshot.Start known = start;
    if (known == null) {
      known =
          snapshots.of(
              resource,
              Stream.of(frozen, stable).flatMap(Stream::ofNullable),
              this::startsFromSpec);
      start = known;
    }
    return known;
  }

  /** The newest spec says what the next job starts from. */
  private boolean startsFromSpec() {
    JobSpec job = resource.getSpec().job();
    return job != null
        && !job.isSuspended()
        && metadata().getDeletionTimestamp() == null
        && (!ranBefore() || redeploys(job.savepointRedeployNonce(), phase()));
  }

  private FlinkConfiguration defaultsNow() {
    return defaults.forResource(metadata().getNamespace(), resource.getSpec().flinkVersion());
  }

  /** A spec that was stable ran a job, unless it was suspended from the first. */
  private boolean ranBefore() {
    return stable != null && (!stable.isUnstarted() || hasTraces());
  }

  private boolean hasTraces() {
    return lastJobId() != null
        || status.recorded() != null
        || status.upgradeSavepointPath() != null
        || lastSavepoint() != null;
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
    return violations.isEmpty()
        ? start().problem()
        : violations.stream().map(Violation::toString).collect(Collectors.joining("; "));
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
    try {
      return Optional.of(StableAfter.of(metadata().getAnnotations(), defaultStableAfter));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty(); // refused where a spec is validated
    }
  }

  /** With the TaskManagers that the newest spec asks for, where their number is no upgrade. */
  @Override
  public Optional<TargetSpec> frozen() {
    boolean scales = ReactiveMode.scales(resource.getSpec()) && violations().isEmpty();
    return Optional.ofNullable(frozen).map(it -> scales ? it.scaledAs(resource.getSpec()) : it);
  }

  @Override
  public Optional<TargetSpec> stable() {
    return Optional.ofNullable(stable);
  }

  @Override
  public ObservedResource observed() {
    Observation.Phase phase = phase();
    TargetSpec newest = newest();
    return new ObservedResource(
        metadata().getDeletionTimestamp() != null,
        new Observation.Newest(
            newest.target().redeploying(redeploys(newest.redeployNonce(), phase)),
            problem(),
            isSame(frozen),
            isSame(stable),
            restoreFrom()),
        frozen == null
            ? null
            : frozen
                .target()
                .redeploying(
                    phase == Observation.Phase.UPGRADING
                        && redeploys(frozen.redeployNonce(), phase)),
        stable == null || !ranBefore() ? null : stable.spec().generation(),
        phase,
        Objects.requireNonNullElse(status.reconciliation().reconciliationTimestamp(), 0L),
        recorded(phase),
        deletionSavepointMs(),
        lastJobId(),
        unstarted());
  }

  private @Nullable RestorePoint recorded(Observation.Phase phase) {
    boolean begun = phase != Observation.Phase.IDLE;
    boolean suspended = isSuspended(frozen);
    if (!begun && !suspended) {
      return null;
    }
    String path = leftByApache();
    return status.recorded() == null && path != null && !path.equals(APACHE_HA_METADATA)
        ? new RestorePoint(new StateRef.Savepoint(path), lastJobId(), NO_JOB)
        : status.restorePoint();
  }

  /**
   * The path that Apache's operator recorded when it suspended the job. Up to release 1.9 it is the
   * last savepoint of all, which counts only where the mode that was really used says so: beside
   * metadata there may be an older one.
   */
  private @Nullable String leftByApache() {
    DeploymentTarget suspended = isSuspended(frozen) ? frozen : stable;
    if (suspended == null || !suspended.isSuspended()) {
      return null;
    }
    if (status.upgradeSavepointPath() != null) {
      return status.upgradeSavepointPath();
    }
    return suspended.isByApache() && suspended.target().upgradeMode() == UpgradeMode.SAVEPOINT
        ? lastSavepoint()
        : null;
  }

  private @Nullable String lastSavepoint() {
    JobStatus job = resource.getStatus().jobStatus();
    SavepointInfo info = job == null ? null : job.savepointInfo();
    Savepoint last = info == null ? null : info.lastSavepoint();
    String path = last == null ? null : last.location();
    return path == null || path.isBlank() ? null : path;
  }

  /** A job that is started from a recorded state has the nonce that is recorded with it. */
  private boolean redeploys(@Nullable Long asked, Observation.Phase phase) {
    boolean counts = phase != Observation.Phase.IDLE || isSuspended(frozen);
    RecordedState recorded = counts ? status.recorded() : null;
    if (recorded != null) {
      return asked != null && !asked.equals(recorded.redeployNonce());
    }
    return asked != null && stable != null && ranBefore() && !asked.equals(stable.redeployNonce());
  }

  private static boolean isSuspended(@Nullable DeploymentTarget spec) {
    return spec != null && spec.isSuspended();
  }

  private Observation.Phase phase() {
    ReconciliationState state = status.reconciliation().state();
    if (state == ReconciliationState.ROLLING_BACK) {
      return Observation.Phase.ROLLING_BACK;
    }
    return state == ReconciliationState.UPGRADING
        ? Observation.Phase.UPGRADING
        : Observation.Phase.IDLE;
  }

  private boolean isSame(@Nullable DeploymentTarget other) {
    return other != null
        && !SpecDiff.between(other.spec().spec(), resource.getSpec()).kind().needsOperation();
  }

  private @Nullable String restoreFrom() {
    Map<String, String> annotations = metadata().getAnnotations();
    return annotations == null ? null : annotations.get(Annotations.RESTORE_FROM);
  }

  private @Nullable String lastJobId() {
    JobStatus job = resource.getStatus().jobStatus();
    return job == null ? null : job.jobId();
  }

  /** A spec in the status that cannot be read proves nothing, nor does a job that was seen. */
  private @Nullable String unstarted() {
    if (hasTraces()) {
      return null;
    }
    ReconciliationStatus reconciliation = status.reconciliation();
    if (reconciliation.lastReconciledSpec() == null && reconciliation.lastStableSpec() == null) {
      return "nothing was ever deployed";
    }
    if (frozen == null || !frozen.spec().firstDeployment()) {
      return null;
    }
    if (frozen.isUnstarted()) {
      return "the job was suspended from the first";
    }
    boolean never = reconciliation.lastStableSpec() == null || (stable != null && !ranBefore());
    return never ? "the first deployment has not created its cluster" : null;
  }

  private long deletionSavepointMs() {
    boolean deployed =
        resource.getSpec().isApplication() && status.reconciliation().lastReconciledSpec() != null;
    if (!deployed || !savesOnDeletion()) {
      return 0;
    }
    FlinkConfiguration running = frozen == null ? newest().configuration() : frozen.configuration();
    return Timeouts.millis(running, SAVEPOINT_TIMEOUT, SAVEPOINT_TIMEOUT_DEFAULT);
  }

  /**
   * What the newest spec says itself decides. Where it does not, one of what was deployed and the
   * defaults of now is enough to ask for it, because the state is gone for ever otherwise.
   */
  private boolean savesOnDeletion() {
    FlinkConfiguration own = resource.getSpec().configuration();
    return own.get(SAVEPOINT_ON_DELETION).isPresent()
        ? asksToSave(own)
        : asksToSave(defaultsNow()) || (frozen != null && asksToSave(frozen.configuration()));
  }

  /** A typing error counts as yes. */
  private static boolean asksToSave(FlinkConfiguration configuration) {
    return configuration
        .get(SAVEPOINT_ON_DELETION)
        .map(text -> !text.isBlank() && !text.trim().equalsIgnoreCase("false"))
        .orElse(false);
  }
}
