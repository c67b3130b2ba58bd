package dev.sluice.activities.sessionjob;

import dev.sluice.activities.deployment.StoredJobResource;
import dev.sluice.activities.resource.DeletionSavepoint;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.api.validation.SessionJobValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkSessionJob as it was read, with the FlinkDeployment that it names. */
final class StoredSessionJob extends StoredJobResource<SessionJobTarget> {
  private final FlinkSessionJob resource;
  private final SessionPlace place;

  StoredSessionJob(FlinkSessionJob resource, SessionPlace place, Starts starts) {
    super(
        resource.getMetadata(),
        resource.getSpec().job(),
        resource.getStatus(),
        json -> SessionJobTarget.parsed(json, place),
        starts);
    this.resource = resource;
    this.place = place;
  }

  SessionPlace place() {
    return place;
  }

  /** What the status says that Flink was asked to run; null when it says nothing. */
  @Nullable Submission written() {
    return resource.getStatus().submission();
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

  /** Flink forgets that after some time. */
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
    SessionJobTarget frozen = deployed();
    return state != null && state.isGloballyTerminal()
        ? null
        : new HostedJob.Submitted(
            jobId, frozen == null ? null : frozen.spec().generation(), null, null, false, null);
  }

  /** A time that cannot be read is long ago. */
  static @Nullable Instant sentAt(Submission submission) {
    return submission.sentAt() == null
        ? null
        : WrittenTime.read(submission.sentAt()).orElse(Instant.EPOCH);
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
        new FrozenSessionJob(resource.getSpec().withJob(start().job()), generation(), isFirst()),
        place);
  }

  @Override
  public FlinkConfiguration operatorConfiguration() {
    SessionJobTarget frozen = deployed();
    return frozen == null || violations().isEmpty()
        ? SessionJobKeys.merged(place.configuration(), resource.getSpec().configuration())
        : frozen.configuration();
  }

  @Override
  protected List<Violation> violations() {
    SessionJobTarget frozen = deployed();
    return SessionJobValidation.validate(
        resource, frozen == null ? null : frozen.spec(), place.known());
  }

  @Override
  public Optional<TargetSpec> running(@Nullable Deployment jobManager, @Nullable Long generation) {
    SessionPlace now = place.asItRuns(jobManager);
    return RunningCluster.spec(this, generation).map(it -> ((SessionJobTarget) it).on(now));
  }

  /** What Flink was asked to run may run, whatever else the status says. */
  @Override
  protected @Nullable String unstarted() {
    return resource.getStatus().submission() == null ? super.unstarted() : null;
  }

  @Override
  protected boolean isSame(SessionJobTarget other) {
    return !other.spec().spec().changesTo(resource.getSpec()).kind().needsOperation();
  }

  @Override
  protected long deletionSavepointMs() {
    SessionJobTarget frozen = deployed();
    return DeletionSavepoint.millis(
        resource.getSpec().configuration(),
        place.configuration(),
        frozen == null ? null : frozen.configuration());
  }
}
