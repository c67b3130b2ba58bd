package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.validation.Violation;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reasons and messages. Those of a running operation hold no step, count or time: what changes
 * while it is at work would cost a write each time, and stands in {@code status.operation}.
 */
final class ConditionMessages {

  private static final String NO_JOB = "The JobManager answers but has no job.";
  static final String NOT_ASKED = "Flink was not queried yet.";

  private ConditionMessages() {}

  /** The reason that stands for the operation at work. */
  static String operationReason(DeploymentSnapshot snapshot) {
    return switch (type(snapshot)) {
      case DEPLOY -> Reasons.DEPLOYING;
      case ROLLBACK -> Reasons.ROLLING_BACK;
      case FINISH -> Reasons.FINISHING;
      case RECOVER -> Reasons.RECOVERING;
      case DELETE -> Reasons.DELETING;
      case SUSPEND -> Reasons.SUSPENDING;
      case RESUME -> Reasons.RESUMING;
      default -> Reasons.UPGRADING;
    };
  }

  static OperationType type(DeploymentSnapshot snapshot) {
    if (snapshot.phase() == DeploymentPhase.DELETING) {
      return OperationType.DELETE;
    }
    if (snapshot.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    OperationStatus operation = snapshot.operation();
    return operation != null && operation.type() != null && operation.isOpen()
        ? operation.type()
        : snapshot.forward();
  }

  static String operationMessage(DeploymentSnapshot snapshot) {
    String what =
        switch (type(snapshot)) {
          case DEPLOY -> "Deploying generation " + snapshot.goal();
          case ROLLBACK -> "Restoring the last stable spec";
          case FINISH -> "Stopping the JobManager of the job that has ended";
          case RECOVER ->
              "Bringing %s back with the deployed spec"
                  .formatted(isSession(snapshot) ? "the session cluster" : "the job");
          case DELETE -> deleting(snapshot);
          case SUSPEND -> "Suspending with generation " + snapshot.goal();
          case RESUME -> "Resuming with generation " + snapshot.goal();
          default -> "Upgrading to generation " + snapshot.goal();
        };
    return what + "; see status.operation and workflow " + snapshot.ref().laneId() + ".";
  }

  /** What a deletion does, or what it waits for. */
  static String deleting(DeploymentSnapshot snapshot) {
    return isSession(snapshot)
        ? "Deleting the session cluster"
        : "Deleting the job and its cluster";
  }

  private static boolean isSession(DeploymentSnapshot snapshot) {
    return !snapshot.deployedSpec().isApplication();
  }

  /** The deletion that waits for something; empty when it is at work, or there is none. */
  static Optional<OperationStatus> heldDeletion(DeploymentSnapshot snapshot) {
    return snapshot.phase() == DeploymentPhase.DELETING
        ? Optional.ofNullable(snapshot.operation())
            .filter(it -> it.type() == OperationType.DELETE)
            .filter(it -> it.state() == OperationState.BLOCKED)
        : Optional.empty();
  }

  /** InvalidSpec, unless all that is wrong is that something is not supported yet. */
  static String invalidReason(DeploymentSnapshot snapshot) {
    return snapshot.check().violations().stream()
        .map(Violation::reason)
        .reduce((one, other) -> one.equals(other) ? one : Reasons.INVALID_SPEC)
        .orElse(Reasons.INVALID_SPEC);
  }

  /** Every violation with its path. */
  static String invalid(DeploymentSnapshot snapshot) {
    String what =
        snapshot.phase() == DeploymentPhase.SETTLED
            ? " is deployed, but is not valid any more; any change must also correct this"
            : " is not valid and was not applied" + stillDeployed(snapshot);
    return "Generation "
        + snapshot.generation()
        + what
        + ": "
        + snapshot.check().violations().stream()
            .map(Violation::toString)
            .collect(Collectors.joining("; "));
  }

  /** The reason of an operation that is parked or blocked. */
  static String waitingReason(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    if (operation != null && operation.reason() != null) {
      return operation.reason();
    }
    return snapshot.phase() == DeploymentPhase.BLOCKED
        ? Reasons.BLOCKED
        : Reasons.WAITING_FOR_OPERATOR;
  }

  static String waitingMessage(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    String message = operation == null ? null : operation.message();
    boolean blocked = snapshot.phase() == DeploymentPhase.BLOCKED;
    String cause =
        message != null
            ? message
            : blocked ? "A step fails for a reason that may pass." : "A step cannot succeed.";
    return cause
        + (blocked
            ? " [Sluice retries automatically. To retry now, annotate with "
                + Annotations.RETRY
                + (snapshot.isOpen(OperationType.FINISH)
                    ? ".]"
                    : "; to abort, with " + Annotations.ABORT + ".]")
            : " [To go on, annotate with "
                + Annotations.RETRY
                + " or "
                + Annotations.ABORT
                + ", or apply another spec.]");
  }

  static String givenUpReason(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    return operation != null && operation.state() == OperationState.FAILED
        ? Reasons.OPERATION_FAILED
        : Reasons.ABORTED;
  }

  static String givenUpMessage(DeploymentSnapshot snapshot) {
    OperationStatus operation = snapshot.operation();
    // a recovery of what stays deployed says nothing about why this was given up
    String message =
        operation == null || operation.type() == OperationType.RECOVER ? null : operation.message();
    return "Generation "
        + snapshot.generation()
        + " was given up"
        + stillDeployed(snapshot)
        + (message == null ? "." : ": " + message)
        + " [Apply another spec, or annotate with "
        + Annotations.RETRY
        + " to try this one again."
        + (ReactiveScale.beginsAgain(snapshot)
            ? " Undo its change before you scale: another number of TaskManagers counts as another"
                + " spec, and begins it again.]"
            : "]");
  }

  private static String stillDeployed(DeploymentSnapshot snapshot) {
    FrozenSpec frozen = snapshot.check().frozen();
    boolean idle =
        snapshot.phase() == DeploymentPhase.INVALID || snapshot.phase() == DeploymentPhase.GIVEN_UP;
    if (!idle
        || frozen == null
        || DeploymentPhase.begun(snapshot.status().reconciliationStatus())) {
      return "";
    }
    return frozen.generation() == 0
        ? "; the spec before it stays deployed"
        : "; generation " + frozen.generation() + " stays deployed";
  }

  static String jobManagerMissing(DeploymentSnapshot snapshot) {
    if (LostJob.of(snapshot).isPresent()) {
      return isSession(snapshot)
          ? "The JobManager Deployment is missing, so the session cluster does not run. It is"
              + " started again."
          : "The JobManager Deployment is missing, so the job does not run. It is started again.";
    }
    if (isSession(snapshot)) {
      return "The JobManager Deployment is missing, so the session cluster does not run. [To start"
          + " it again, annotate with "
          + Annotations.RETRY
          + ".]";
    }
    FrozenSpec deployed = snapshot.check().frozen();
    if (snapshot.phase() == DeploymentPhase.GIVEN_UP
        && deployed != null
        && LostJob.onRetry(snapshot).isEmpty()) {
      return "The JobManager Deployment is missing, so the job does not run. [%s upgrades to generation %d. To start the job of generation %d again, apply that spec, and then annotate.]"
          .formatted(Annotations.RETRY, snapshot.generation(), deployed.generation());
    }
    return "The JobManager Deployment is missing, so the job does not run. [To start the job again,"
        + " annotate with "
        + Annotations.RETRY
        + "; without high-availability metadata name what it starts from together with it: "
        + Annotations.RESTORE_FROM
        + ": <path of a savepoint or checkpoint>.]";
  }

  /** No job is to run; where it goes on from. */
  static String suspended(DeploymentSnapshot snapshot) {
    JobStatus job = snapshot.status().jobStatus();
    String path = job == null ? null : job.upgradeSavepointPath();
    return "The job is suspended" + (path == null ? "." : "; a resume starts from " + path + ".");
  }

  /** A job that fails while it is initialized takes its JobManager along: nobody saw it FAILED. */
  static String noJob(DeploymentSnapshot snapshot) {
    return snapshot.isDeployedAndWanted()
            && HighAvailabilityMode.of(snapshot.deployedSpec().configuration()).isOn()
        ? NO_JOB
            + " If that lasts, the job has ended, and with high availability a new JobManager does"
            + " not run it again: the log of the JobManager, or of its container before, says why."
        : NO_JOB;
  }

  static String finished(@Nullable String jobId) {
    return "Job " + jobId + " has finished.";
  }

  /** The JobManager of a job that has failed or was cancelled was stopped since. */
  static String failedForGood(DeploymentSnapshot snapshot) {
    JobStatus last = snapshot.status().jobStatus();
    FlinkJobState noted = snapshot.observed().cluster().endedAs();
    if (noted != null) {
      return endedForGood(snapshot, snapshot.observed().cluster().jobId(), noted);
    }
    return last == null ? noJob(snapshot) : endedForGood(snapshot, last.jobId(), last.state());
  }

  private static String endedForGood(
      DeploymentSnapshot snapshot, @Nullable String jobId, @Nullable FlinkJobState as) {
    String ended = "Job %s is %s; its JobManager was stopped since.".formatted(jobId, as);
    // of an operation that is held Stalled says what is to be done
    return snapshot.phase().isOpen() || snapshot.phase() == DeploymentPhase.DELETING
        ? ended
        : ended + nextStart(snapshot);
  }

  private static String nextStart(DeploymentSnapshot snapshot) {
    JobSpec job = snapshot.resource().getSpec().job();
    return job != null && job.upgradeMode() == UpgradeMode.STATELESS
        ? " A restartNonce starts it empty, because upgradeMode is stateless; a spec with savepoint"
            + " or last-state goes on from what it left."
        : " A new spec or restartNonce goes on from what it left.";
  }

  /** State of a job that was answered by Flink. */
  static String job(Job job) {
    if (job.state() == FlinkJobState.FINISHED) {
      return finished(job.id());
    }
    // of one that runs again, though not in full, Running is True: Ready has the exception
    boolean runs = job.state() == FlinkJobState.RUNNING;
    return "Job %s is %s%s"
        .formatted(
            job.id(),
            job.state(),
            runs ? "." : job.failure().map(it -> ": " + it).orElse("") + ".");
  }

  /** Of a job that does not do what it is there for. */
  static String notUp(Job job) {
    return job.state() == FlinkJobState.RUNNING
        ? "Not all tasks of job "
            + job.id()
            + " run."
            + job.failure().map(it -> " Newest exception: " + it + ".").orElse("")
        : job(job);
  }

  /** Suffix of a message about a spec that has fields without effect. */
  static String ignored(DeploymentSnapshot snapshot) {
    return snapshot.check().ignored().isEmpty()
        ? ""
        : " (ignored: " + String.join("; ", snapshot.check().ignored()) + ")";
  }

  /** {@code JOB_STATE} as {@code JobState}. */
  static String camelCase(String upper) {
    StringBuilder text = new StringBuilder();
    for (String word : upper.split("_", -1)) {
      if (!word.isEmpty()) {
        text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
      }
    }
    return text.toString();
  }
}
