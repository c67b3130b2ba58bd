package dev.sluice.activities.bluegreen;

import dev.sluice.activities.resource.StatusFacts;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ChildSeen.Shape;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far a child is with its newest spec, as its own status says it. What its controller has not
 * looked at yet counts as busy: conditions of an older spec say nothing of the newest one. Pure.
 */
final class ChildReading {

  /** Why a spec is not, or will not be, deployed. */
  private static final Set<String> GIVEN_UP =
      Set.of(
          Reasons.INVALID_SPEC,
          Reasons.NOT_SUPPORTED,
          Reasons.ABORTED,
          Reasons.OPERATION_FAILED,
          Reasons.RECOVERY_LIMIT);

  private static final Set<FlinkJobState> FAILED =
      Set.of(FlinkJobState.FAILED, FlinkJobState.CANCELED);

  private final ObjectMeta metadata;
  private final JobResourceStatus status;
  private final Phase reached;

  /**
   * @param reached what it counts as when it is ready and there is no job of its own, or that has
   *     finished
   */
  private ChildReading(ObjectMeta metadata, JobResourceStatus status, Phase reached) {
    this.metadata = metadata;
    this.status = status;
    this.reached = reached;
  }

  /**
   * What it says.
   *
   * @param parent uid of the FlinkBlueGreenDeployment
   * @param finished what it counts as when its job has finished
   */
  static ChildSeen of(String parent, Color color, FoundChild child, Phase finished) {
    JobSpec job = child.job();
    boolean session = child instanceof FoundChild.Session;
    return new ChildSeen(
        color,
        child.uid(),
        child.isOwned(parent),
        child.isDeleting(),
        child.madeFor(),
        job == null ? null : job.startPath(),
        phase(child, finished),
        session ? new Shape.Session(job != null) : new Shape.Application(),
        job == null || !job.isSuspended());
  }

  private static Phase phase(FoundChild child, Phase finished) {
    if (child instanceof FoundChild.Session session) {
      return phase(session, finished);
    }
    FlinkDeployment deployment = ((FoundChild.Application) child).deployment();
    return new ChildReading(deployment.getMetadata(), deployment.getStatus(), finished).phase();
  }

  /** A job that is at rest needs no cluster; one that is to run needs both. */
  private static Phase phase(FoundChild.Session child, Phase finished) {
    FlinkDeployment cluster = child.cluster();
    FlinkSessionJob job = child.jobOfIt();
    Phase ofJob =
        job == null ? null : new ChildReading(job.getMetadata(), job.getStatus(), finished).phase();
    if (ofJob instanceof Phase.Suspended || ofJob instanceof Phase.Finished) {
      return ofJob;
    }
    if (cluster == null) {
      return new Phase.Held("its session cluster does not exist");
    }
    Phase ofCluster =
        new ChildReading(cluster.getMetadata(), cluster.getStatus(), new Phase.Prepared()).phase();
    return ofJob == null || !(ofCluster instanceof Phase.Prepared) ? ofCluster : ofJob;
  }

  /**
   * What a child that is live counts as when its job has finished. That its job ended by itself and
   * left nothing is only believed once its end is recorded: that is some time after Flink says so.
   */
  static Phase finishedLive(FlinkDeployment child) {
    JobStatus job = child.getStatus().jobStatus();
    EndedJob ended = child.getStatus().endedJob();
    if (ended == null || job == null || !Objects.equals(ended.jobId(), job.jobId())) {
      return new Phase.Busy("its job has finished, and what it left is not recorded yet");
    }
    return ended.left() == null
        ? new Phase.Held("its job has finished, and Flink does not tell what it left")
        : new Phase.Finished(ended.left().path());
  }

  /** Where the state is that a job left; null when it left none, or that is not recorded. */
  static @Nullable String left(FlinkDeploymentStatus status) {
    EndedJob ended = status.endedJob();
    return ended == null || ended.left() == null ? null : ended.left().path();
  }

  /** Whether there may be a state of a job of it. */
  static boolean hasRun(FoundChild child) {
    JobResourceStatus status = child.status();
    JobStatus job = status == null ? null : status.jobStatus();
    return status != null
        && (status.recordedState() != null
            || (job != null && (job.jobId() != null || job.upgradeSavepointPath() != null)));
  }

  /** Whether it belongs to that parent. */
  static boolean isOwned(ObjectMeta metadata, String parent) {
    List<OwnerReference> owners = metadata.getOwnerReferences();
    return owners != null && owners.stream().anyMatch(it -> parent.equals(it.getUid()));
  }

  /**
   * Whether it does what it is there for now: its job runs or has finished, or is suspended where
   * that is wanted.
   */
  static boolean isUp(ChildSeen child, boolean wantsRunning) {
    Phase phase = child.phase();
    return child.ours()
        && !child.deleting()
        && (phase instanceof Phase.Ready
            || phase instanceof Phase.Finished
            || (phase instanceof Phase.Suspended && !wantsRunning));
  }

  /** In words, for the progress of a wait. */
  static String words(Phase phase) {
    if (phase instanceof Phase.Busy busy) {
      return busy.what();
    }
    if (phase instanceof Phase.Held held) {
      return "it is held: " + held.why();
    }
    if (phase instanceof Phase.Failed failed) {
      return "it has failed: " + failed.why();
    }
    if (phase instanceof Phase.Suspended) {
      return "it is suspended";
    }
    if (phase instanceof Phase.Prepared) {
      return "its session cluster is ready and has no job";
    }
    return phase instanceof Phase.Finished ? "its job has finished" : "it is ready";
  }

  private Phase phase() {
    long generation = Objects.requireNonNullElse(metadata.getGeneration(), 0L);
    Condition ready = newest(ConditionTypes.READY, generation);
    Condition stalled = newest(ConditionTypes.STALLED, generation);
    if (!Objects.equals(status.observedGeneration(), generation) || ready == null) {
      return new Phase.Busy("generation %d was not looked at yet".formatted(generation));
    }
    OperationStatus operation = status.operation();
    if (operation != null && operation.isOpen()) {
      return open(operation);
    }
    if (isTrue(ready)) {
      return reached(ready);
    }
    boolean held = stalled != null && isTrue(stalled);
    if (stalled != null && held && GIVEN_UP.contains(stalled.getReason())) {
      return new Phase.Failed(text(stalled));
    }
    if (status.isBegun()) {
      return new Phase.Busy(text(ready));
    }
    if (hasFailed()) {
      return new Phase.Failed(text(ready));
    }
    return stalled != null && held ? new Phase.Held(text(stalled)) : new Phase.Busy(text(ready));
  }

  private static Phase open(OperationStatus operation) {
    String step = Objects.requireNonNullElse(operation.step(), "");
    String message = Objects.requireNonNullElse(operation.message(), "");
    String words =
        Optional.ofNullable(operation.type()).map(Object::toString).orElse("its operation")
            + (step.isEmpty() ? "" : ", " + step)
            + (message.isEmpty() ? "" : ": " + message);
    return operation.state() == OperationState.RUNNING
        ? new Phase.Busy(words)
        : new Phase.Held(words);
  }

  /** Its newest spec is what was deployed, and nothing is at work. */
  private Phase reached(Condition ready) {
    if (status.isBegun()) {
      return new Phase.Busy(text(ready)); // the conditions are older than the operation
    }
    if (reached instanceof Phase.Prepared) {
      return reached;
    }
    JobStatus job = status.jobStatus();
    if (Reasons.SUSPENDED.equals(ready.getReason())) {
      return new Phase.Suspended(leftState());
    }
    if (Reasons.JOB_FINISHED.equals(ready.getReason())) {
      return reached;
    }
    String jobId = job == null ? null : job.jobId();
    return jobId == null
        ? new Phase.Busy("its job is not known yet")
        : new Phase.Ready(
            jobId,
            Objects.requireNonNullElse(WrittenTime.millis(ready.getLastTransitionTime()), 0L));
  }

  /** Where a suspended job goes on from. */
  private @Nullable String leftState() {
    RecordedState recorded = status.recordedState();
    String path = recorded == null ? null : recorded.path();
    JobStatus job = status.jobStatus();
    if (path != null || job == null) {
      return path;
    }
    String byApache = job.upgradeSavepointPath();
    return StatusFacts.APACHE_HA_METADATA.equals(byApache) ? null : byApache;
  }

  private boolean hasFailed() {
    JobStatus job = status.jobStatus();
    return job != null && job.state() != null && FAILED.contains(job.state());
  }

  private @Nullable Condition newest(String type, long generation) {
    return status
        .condition(type)
        .filter(it -> Objects.equals(it.getObservedGeneration(), generation))
        .orElse(null);
  }

  private static boolean isTrue(Condition condition) {
    return "True".equals(condition.getStatus());
  }

  private static String text(Condition condition) {
    String message = Objects.requireNonNullElse(condition.getMessage(), "");
    return message.isEmpty() ? condition.getReason() : message;
  }
}
