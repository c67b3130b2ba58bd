package dev.sluice.activities.sessionjob;

import dev.sluice.activities.deployment.StartSnapshot;
import dev.sluice.activities.resource.DeletionSavepoint;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.ObservedResource;
import dev.sluice.activities.resource.OperationHistory;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.SessionJobDiff;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A FlinkSessionJob as it was read, with the FlinkDeployment that it names. */
final class StoredSessionJob implements StoredResource {

  private final FlinkSessionJob resource;
  private final SessionPlace place;
  private final StartSnapshot snapshots;
  private final StableAfter defaultStableAfter;
  private final OwnedStatus status;
  private final OperationHistory history;
  private final @Nullable SessionJobTarget frozen;
  private final @Nullable SessionJobTarget stable;
  private StartSnapshot.@Nullable Start start;

  /**
   * @param snapshots looks up what the spec names to start from
   * @param defaultStableAfter what must be so before its job counts as stable, where it does not
   *     say
   */
  StoredSessionJob(
      FlinkSessionJob resource,
      SessionPlace place,
      StartSnapshot snapshots,
      StableAfter defaultStableAfter) {
    this.resource = resource;
    this.place = place;
    this.snapshots = snapshots;
    this.defaultStableAfter = defaultStableAfter;
    this.status = OwnedStatus.of(resource.getStatus());
    this.frozen = SessionJobTarget.parsed(status.reconciliation().lastReconciledSpec(), place);
    this.stable = SessionJobTarget.parsed(status.reconciliation().lastStableSpec(), place);
    this.history = new OperationHistory(status, resource.getStatus().jobStatus(), frozen, stable);
  }

  SessionPlace place() {
    return place;
  }

  /** What the status says that Flink was asked to run; null when it says nothing. */
  @Nullable Submission written() {
    return resource.getStatus().submission();
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
  public Optional<HostedJob> hosted() {
    StoredResource deployment = place.deployment();
    String name = Objects.requireNonNullElse(resource.getSpec().deploymentName(), "");
    return Optional.of(
        new HostedJob(
            FlinkDeployment.KIND,
            name,
            deployment == null ? null : deployment.metadata().getUid(),
            !place.known().application(),
            SessionPlace.waitsFor(name, place).orElse(null),
            place.goes(),
            place.awaitsSavepoints(),
            endedAs(),
            submitted()));
  }

  private HostedJob.@Nullable Submitted submitted() {
    Submission submission = resource.getStatus().submission();
    if (submission == null) {
      return submittedByApache();
    }
    String jobId = submission.jobId();
    return jobId == null
        ? null
        : new HostedJob.Submitted(
            jobId,
            submission.generation(),
            submission.clusterId(),
            submission.jobManager(),
            Boolean.TRUE.equals(submission.removed()),
            sentAt(submission));
  }

  /** Flink forgets that after a while. */
  private @Nullable FlinkJobState endedAs() {
    Submission submission = resource.getStatus().submission();
    JobStatus seen = resource.getStatus().jobStatus();
    if (submission == null || seen == null || !Objects.equals(seen.jobId(), submission.jobId())) {
      return null;
    }
    FlinkJobState state = seen.state();
    return state != null && state.isGloballyTerminal() ? state : null;
  }

  /** Apache's operator notes nothing but the job itself, which may run unless it has ended. */
  private HostedJob.@Nullable Submitted submittedByApache() {
    JobStatus job = resource.getStatus().jobStatus();
    String jobId = job == null ? null : job.jobId();
    if (job == null || jobId == null || jobId.isBlank()) {
      return null;
    }
    FlinkJobState state = job.state();
    return state != null && state.isGloballyTerminal()
        ? null
        : new HostedJob.Submitted(
            jobId, frozen == null ? null : frozen.spec().generation(), null, null, false, null);
  }

  /** A time that cannot be read is long ago. */
  static @Nullable Instant sentAt(Submission submission) {
    String sentAt = submission.sentAt();
    try {
      return sentAt == null ? null : Instant.parse(sentAt);
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }

  /** The session cluster, which is not its own. */
  @Override
  public ClusterRef cluster() {
    return new ClusterRef(
        metadata().getNamespace(),
        Objects.requireNonNullElse(resource.getSpec().deploymentName(), ""));
  }

  @Override
  public SessionJobTarget newest() {
    return new SessionJobTarget(
        new FrozenSessionJob(
            resource.getSpec().withJob(start().job()),
            Objects.requireNonNullElse(metadata().getGeneration(), 0L),
            history.isFirst()),
        place);
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

  @Override
  public Optional<TargetSpec> parsed(String json) {
    return Optional.ofNullable(SessionJobTarget.parsed(json, place));
  }

  @Override
  public FlinkConfiguration operatorConfiguration() {
    return frozen == null || violations().isEmpty()
        ? SessionJobKeys.merged(place.configuration(), resource.getSpec().configuration())
        : frozen.configuration();
  }

  @Override
  public @Nullable String problem() {
    List<Violation> violations = violations();
    return violations.isEmpty() ? start().problem() : Violation.joined(violations);
  }

  private List<Violation> violations() {
    return SessionJobValidation.validate(
        resource, frozen == null ? null : frozen.spec(), place.known());
  }

  @Override
  public Optional<StableAfter> stableAfter() {
    return StableAfter.ifReadable(metadata().getAnnotations(), defaultStableAfter);
  }

  @Override
  public Optional<TargetSpec> frozen() {
    return Optional.ofNullable(frozen);
  }

  @Override
  public Optional<TargetSpec> stable() {
    return Optional.ofNullable(stable);
  }

  @Override
  public Optional<TargetSpec> running(@Nullable Deployment jobManager, @Nullable Long generation) {
    SessionPlace now = place.asItRuns(jobManager);
    return RunningCluster.spec(this, generation).map(it -> ((SessionJobTarget) it).on(now));
  }

  @Override
  public ObservedResource observed() {
    return history.observed(
        metadata(),
        new OperationHistory.Newest(newest(), problem(), isSame(frozen), isSame(stable)),
        deletionSavepointMs(),
        unstarted());
  }

  /** What Flink was asked to run may run, whatever else the status says. */
  private @Nullable String unstarted() {
    return resource.getStatus().submission() == null ? history.unstarted() : null;
  }

  private boolean isSame(@Nullable SessionJobTarget other) {
    return other != null
        && !SessionJobDiff.between(other.spec().spec(), resource.getSpec()).kind().needsOperation();
  }

  private long deletionSavepointMs() {
    return status.reconciliation().lastReconciledSpec() == null
        ? 0
        : DeletionSavepoint.millis(
            resource.getSpec().configuration(),
            place.configuration(),
            frozen == null ? null : frozen.configuration());
  }
}
