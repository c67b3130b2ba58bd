package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.operation.ResourcePhase;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events that a change of status gives rise to, for every kind. Pure, and derived from the
 * change alone: each change is reported once, also across restarts. What an operation begins with
 * is told by {@link PlanEvents}, its outcome by its workflow.
 *
 * @param seen with the status that is replaced
 * @param after the status that replaces it
 */
public record ChangeEvents(SeenResource seen, JobResourceStatus after) {

  /**
   * All of them, and those of requests.
   *
   * @param gone what runs the job is missing, which is told otherwise
   */
  public Stream<StatusEvent> all(boolean gone) {
    return Stream.of(
            spec().stream(),
            operation().stream(),
            job(gone).stream(),
            seen.requests().events().stream())
        .flatMap(Function.identity());
  }

  /** About a new spec. */
  public List<StatusEvent> spec() {
    List<StatusEvent> events = new ArrayList<>();
    boolean valid = seen.violations().isEmpty();
    if (!valid) {
      OperationWords.Text invalid = OperationWords.invalid(seen);
      if (appears(ConditionTypes.STALLED, invalid.reason(), true)) {
        events.add(StatusEvent.warning(EventReasons.VALIDATION_ERROR, invalid.message()));
      }
    }
    boolean isNew = !Objects.equals(seen.status().observedGeneration(), seen.generation());
    boolean comes =
        (seen.phase() == ResourcePhase.PENDING || seen.phase().isOpen())
            && seen.frozenGeneration() != null
            && valid;
    if (isNew && comes && !seen.changes().isEmpty()) {
      events.add(
          StatusEvent.normal(
              EventReasons.SPEC_CHANGED,
              "Generation %d: %s".formatted(seen.generation(), String.join(", ", seen.changes()))));
    }
    if (isNew && !seen.ignored().isEmpty()) {
      events.add(
          StatusEvent.normal(
              EventReasons.FIELDS_IGNORED,
              "Generation %d has fields without effect: %s."
                  .formatted(seen.generation(), String.join("; ", seen.ignored()))));
    }
    return events;
  }

  /** About the operation that is needed. */
  public List<StatusEvent> operation() {
    List<StatusEvent> events = new ArrayList<>();
    if (appears(ConditionTypes.PROGRESSING, Reasons.TEMPORAL_UNAVAILABLE, true)) {
      events.add(
          StatusEvent.warning(
              EventReasons.TEMPORAL_UNAVAILABLE, message(ConditionTypes.PROGRESSING)));
    }
    if (seen.phase() == ResourcePhase.DELETING
        && appears(ConditionTypes.READY, Reasons.DELETING, false)) {
      events.add(StatusEvent.normal(EventReasons.CLEANUP, seen.deletion() + "."));
    }
    return events;
  }

  /**
   * Changes of state only while no operation is open: an operation reports itself what it does to
   * the job.
   *
   * @param gone what runs the job is missing, which is told otherwise
   */
  public Optional<StatusEvent> job(boolean gone) {
    if (!seen.phase().isIdle()) {
      return Optional.empty();
    }
    Optional<Job> failed = seen.job().filter(job -> job.state() == FlinkJobState.FAILED);
    if (failed.isPresent()) {
      return failed.filter(job -> job.failure().isPresent()).flatMap(this::failure);
    }
    JobStatus before = seen.status().jobStatus();
    JobStatus now = after.jobStatus();
    FlinkJobState from = state(before);
    FlinkJobState to = state(now);
    boolean changed = from != null && to != null && from != to;
    return changed && now != null && !gone && !wasProgressing()
        ? Optional.of(
            StatusEvent.normal(
                EventReasons.JOB_STATUS_CHANGED,
                "Job %s went from %s to %s.".formatted(now.jobId(), from, to)))
        : Optional.empty();
  }

  /** Reported when the cause is known; until then only the status says FAILED. */
  private Optional<StatusEvent> failure(Job job) {
    String message = JobWords.job(job);
    boolean reported =
        seen.status()
            .condition(ConditionTypes.RUNNING)
            .filter(running -> message.equals(running.getMessage()))
            .isPresent();
    return reported
        ? Optional.empty()
        : Optional.of(StatusEvent.warning(EventReasons.JOB_STATUS_CHANGED, message));
  }

  /**
   * Whether a condition takes this reason now.
   *
   * @param again report it for each generation: an invalid one may follow an invalid one
   */
  public boolean appears(String type, String reason, boolean again) {
    Condition now = after.condition(type).orElse(null);
    if (now == null || !reason.equals(now.getReason())) {
      return false;
    }
    return seen.status()
        .condition(type)
        .map(
            old ->
                !reason.equals(old.getReason())
                    || (again
                        && !Objects.equals(
                            old.getObservedGeneration(), now.getObservedGeneration())))
        .orElse(true);
  }

  private boolean wasProgressing() {
    return seen.status()
        .condition(ConditionTypes.PROGRESSING)
        .filter(c -> "True".equals(c.getStatus()))
        .isPresent();
  }

  /** What a condition says now. */
  public String message(String type) {
    return after.condition(type).map(Condition::getMessage).orElse("");
  }

  private static @Nullable FlinkJobState state(@Nullable JobStatus status) {
    return status == null ? null : status.state();
  }
}
