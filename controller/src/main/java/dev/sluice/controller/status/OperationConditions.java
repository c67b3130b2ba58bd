package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.status.OperationWords.Text;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the conditions of every kind say of specs and operations. */
public final class OperationConditions {

  private final SeenResource seen;
  private final ConditionHistory history;
  private final @Nullable String unavailable;

  /**
   * @param decision what is done now
   */
  public OperationConditions(
      SeenResource seen, ReconcileAction decision, ConditionHistory history) {
    this.seen = seen;
    this.history = history;
    this.unavailable = OperationWords.unavailable(seen, decision);
  }

  /**
   * The four conditions, always in the same order.
   *
   * @param settled Ready, where the newest spec is what was deployed: cluster and job decide
   * @param notHeld Stalled, where neither spec nor operation is the cause
   */
  public List<Condition> all(
      Supplier<Condition> settled, Supplier<Condition> notHeld, Condition running) {
    return List.of(
        ready().orElseGet(settled), progressing(), stalled().orElseGet(notHeld), running);
  }

  /**
   * What cluster and job do.
   *
   * @param ready the condition where the newest spec is what was deployed
   */
  public record Finding(Condition ready, Condition running) {}

  /** Ready and Running with the same message. */
  public Finding both(
      ConditionStatus ready,
      ConditionStatus running,
      String readyReason,
      String runningReason,
      String message) {
    return new Finding(
        ready(ready, readyReason, message), running(running, runningReason, message));
  }

  /** As it was found last, while the answer of Flink is on its way. */
  public Finding notAsked() {
    return new Finding(
        history.kept(ConditionTypes.READY, Reasons.PENDING, OperationWords.NOT_ASKED),
        history.kept(ConditionTypes.RUNNING, Reasons.PENDING, OperationWords.NOT_ASKED));
  }

  /** The job is suspended. */
  public Finding suspended() {
    return both(
        ConditionStatus.TRUE,
        ConditionStatus.FALSE,
        Reasons.SUSPENDED,
        Reasons.SUSPENDED,
        JobWords.suspended(seen));
  }

  /**
   * The job has come to its end, and Flink need not be asked any more.
   *
   * @param running message of Running, and of Ready unless that tells more
   * @param deployed the condition where it has finished
   */
  public Finding ended(FlinkJobState state, String running, Condition deployed) {
    return new Finding(
        state == FlinkJobState.FINISHED
            ? deployed
            : history.keptFalse(ConditionTypes.READY, Reasons.JOB_NOT_RUNNING, running),
        running(ConditionStatus.FALSE, JobWords.camelCase(state), running));
  }

  /** Ready, where the newest spec is deployed. */
  public Condition deployed(String reason, String what) {
    return ready(
        ConditionStatus.TRUE,
        reason,
        "Generation " + seen.generation() + " is deployed and " + what);
  }

  /** Whether the job runs, or the session cluster. */
  public Condition running(ConditionStatus status, String reason, String message) {
    return history.condition(ConditionTypes.RUNNING, status, reason, message);
  }

  /** Running, of a job that Flink reported. */
  public Condition running(Job job) {
    return running(
        ConditionStatus.of(job.state() == FlinkJobState.RUNNING),
        JobWords.camelCase(job.state()),
        JobWords.job(job));
  }

  /**
   * Ready, of a job that Flink reported.
   *
   * @param deployed the condition where all is well, by its reason and what the job does
   * @param ended what follows when the job has ended; may be empty
   */
  public Condition ready(Job job, BiFunction<String, String, Condition> deployed, String ended) {
    if (job.isUp()) {
      return deployed.apply(Reasons.UP_TO_DATE, "all tasks of its job run.");
    }
    if (job.state() == FlinkJobState.FINISHED) {
      return deployed.apply(Reasons.JOB_FINISHED, "its job has finished.");
    }
    return ready(
        ConditionStatus.FALSE,
        Reasons.JOB_NOT_RUNNING,
        JobWords.notUp(job) + (job.state().isGloballyTerminal() ? ended : ""));
  }

  /** Ready, unless the newest spec is what was deployed: then cluster and job decide. */
  public Optional<Condition> ready() {
    return unsettled().map(it -> ready(ConditionStatus.FALSE, it.reason(), it.message()));
  }

  private Optional<Text> unsettled() {
    return switch (seen.phase()) {
      case DELETING, RUNNING, PENDING -> Optional.of(OperationWords.atWork(seen));
      case BLOCKED, PARKED -> Optional.of(OperationWords.waiting(seen));
      case GIVEN_UP -> Optional.of(OperationWords.givenUp(seen));
      case INVALID -> Optional.of(OperationWords.invalid(seen));
      case SETTLED -> Optional.empty();
    };
  }

  /** Ready, with the fields that have no effect. */
  public Condition ready(ConditionStatus status, String reason, String message) {
    return history.condition(
        ConditionTypes.READY, status, reason, message + OperationWords.ignored(seen));
  }

  /** Whether an operation is at work. */
  public Condition progressing() {
    if (unavailable != null) {
      return progressing(ConditionStatus.UNKNOWN, Reasons.TEMPORAL_UNAVAILABLE, unavailable + ".");
    }
    return switch (seen.phase()) {
      case DELETING, RUNNING, PENDING -> progressing(OperationWords.atWork(seen));
      case BLOCKED ->
          progressing(
              ConditionStatus.TRUE,
              Reasons.BLOCKED,
              "The operation is blocked and is retried automatically.");
      case PARKED ->
          progressing(
              ConditionStatus.FALSE,
              OperationWords.waiting(seen).reason(),
              "The operation is parked: action required.");
      case GIVEN_UP, INVALID, SETTLED ->
          progressing(ConditionStatus.FALSE, Reasons.IDLE, "No operation is open.");
    };
  }

  private Condition progressing(Text atWork) {
    return progressing(ConditionStatus.TRUE, atWork.reason(), atWork.message());
  }

  private Condition progressing(ConditionStatus status, String reason, String message) {
    return history.condition(ConditionTypes.PROGRESSING, status, reason, message);
  }

  /** Stalled, if a spec or an operation is the cause; empty where nothing of them is. */
  public Optional<Condition> stalled() {
    Optional<Text> invalid =
        seen.violations().isEmpty() ? Optional.empty() : Optional.of(OperationWords.invalid(seen));
    String waits = OperationWords.waiting(seen).reason();
    Optional<OperationStatus> held = OperationWords.heldDeletion(seen);
    if (held.isPresent()) {
      return Optional.of(
          stalled(waits, held.map(OperationStatus::message).orElse("The deletion is held.")));
    }
    return switch (seen.phase()) {
      case BLOCKED, PARKED ->
          Optional.of(
              stalled(
                  waits,
                  OperationWords.waiting(seen).message()
                      + invalid.map(it -> " " + it.message()).orElse("")));
      case GIVEN_UP -> {
        Text givenUp = OperationWords.givenUp(seen);
        yield Optional.of(stalled(givenUp.reason(), givenUp.message()));
      }
      case DELETING, RUNNING, PENDING, INVALID, SETTLED ->
          invalid.map(it -> stalled(it.reason(), it.message()));
    };
  }

  /** Action is required. */
  public Condition stalled(String reason, String message) {
    return history.condition(ConditionTypes.STALLED, ConditionStatus.TRUE, reason, message);
  }

  /** No action is required. */
  public Condition notStalled() {
    return history.condition(
        ConditionTypes.STALLED, ConditionStatus.FALSE, Reasons.NOT_STALLED, "No action required.");
  }

  /** Whether an operation is under way. One that cannot begin has not touched anything. */
  public boolean isUnderway() {
    return seen.phase().inFlight()
        && (seen.phase() != ResourcePhase.PENDING || unavailable == null);
  }
}
