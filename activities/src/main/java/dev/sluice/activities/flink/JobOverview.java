package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One job in {@code GET /jobs/overview}.
 *
 * @param jobId 32 hex digits
 * @param name of the job
 * @param state its state; RECONCILING for a word that is not known here
 * @param word Flink's own word for the state, for messages
 * @param times when it began, ended and last changed
 * @param tasks its tasks
 */
public record JobOverview(
    String jobId, String name, FlinkJobState state, String word, Times times, Tasks tasks) {

  private static final Set<TaskState> FAILING =
      EnumSet.of(TaskState.CANCELING, TaskState.CANCELED, TaskState.FAILED, TaskState.RECONCILING);

  /** The duration of a job counts from its start to its end, or to the moment of the answer. */
  @JsonCreator
  static JobOverview of(
      @JsonProperty(value = "jid", required = true) String jobId,
      @JsonProperty(value = "name", required = true) String name,
      @JsonProperty(value = "state", required = true) String word,
      @JsonProperty(value = "start-time", required = true) Instant start,
      @JsonProperty("end-time") long end,
      @JsonProperty(value = "last-modification", required = true) Instant lastModification,
      @JsonProperty("duration") @Nullable Long duration,
      @JsonProperty(value = "tasks", required = true) Tasks tasks) {
    FlinkJobState state =
        Stream.of(FlinkJobState.values())
            .filter(it -> it.name().equals(word))
            .findFirst()
            .orElse(FlinkJobState.RECONCILING);
    return new JobOverview(
        jobId,
        name,
        state,
        word,
        new Times(
            start,
            end < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(end)),
            lastModification,
            Optional.ofNullable(duration).filter(it -> it >= 0).map(start::plusMillis)),
        tasks);
  }

  /**
   * When things happened to a job, by the JobManager's clock.
   *
   * @param start when the JobManager first saw the job
   * @param end when it ended; empty while it lives
   * @param lastModification when a task came into the state that it is in, the newest of all tasks:
   *     while every task runs, when the last one was started (again)
   * @param now when Flink said this, or when the job ended; empty when it did not say
   */
  public record Times(
      Instant start, Optional<Instant> end, Instant lastModification, Optional<Instant> now) {

    public Times(Instant start, Optional<Instant> end, Instant lastModification) {
      this(start, end, lastModification, Optional.empty());
    }

    /**
     * For how long no task has changed its state, by the JobManager's clock.
     *
     * @param otherwise the time where Flink does not say it
     */
    public Duration unchangedFor(Instant otherwise) {
      Duration since = Duration.between(lastModification, now.orElse(otherwise));
      return since.isNegative() ? Duration.ZERO : since;
    }
  }

  /** The state of a task (Flink's {@code ExecutionState}), in the order in which it is shown. */
  public enum TaskState {
    CREATED,
    SCHEDULED,
    DEPLOYING,
    INITIALIZING,
    RUNNING,
    FINISHED,
    CANCELING,
    CANCELED,
    FAILED,
    RECONCILING;

    /** As Flink spells it in its answers: {@code created}. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How many tasks are in which state.
   *
   * @param total all tasks of the execution graph; 0 before it is scheduled
   * @param counts tasks by state; a state without tasks may be left out
   */
  public record Tasks(int total, Map<TaskState, Integer> counts) {

    /** Copies the map, without states that no task is in. */
    public Tasks {
      Map<TaskState, Integer> some = new EnumMap<>(TaskState.class);
      counts.forEach(
          (state, count) -> {
            if (count > 0) {
              some.put(state, count);
            }
          });
      counts = Collections.unmodifiableMap(some);
    }

    @JsonCreator
    static Tasks of(Map<String, Integer> told) {
      Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
      for (TaskState state : TaskState.values()) {
        counts.put(state, told.getOrDefault(state.word(), 0));
      }
      counts.put(TaskState.RUNNING, Objects.requireNonNull(told.get("running"), "no running"));
      return new Tasks(Objects.requireNonNull(told.get("total"), "no total"), counts);
    }

    public int in(TaskState state) {
      return counts.getOrDefault(state, 0);
    }

    /** As workflows see them; there is the one rule for "all tasks are up". */
    public JobObservation.Tasks observed() {
      return new JobObservation.Tasks(in(TaskState.RUNNING), in(TaskState.FINISHED), total);
    }

    /** As text: {@code 3 of 4 tasks running, 1 scheduled}. */
    public String display() {
      Stream<String> others =
          counts.entrySet().stream()
              .filter(it -> it.getKey() != TaskState.RUNNING && it.getKey() != TaskState.FINISHED)
              .map(it -> it.getValue() + " " + it.getKey().word());
      return Stream.concat(Stream.of(observed().display()), others)
          .collect(Collectors.joining(", "));
    }

    /** Whether a task failed, or is being cancelled: its part of the job is about to restart. */
    boolean anyFailing() {
      return counts.keySet().stream().anyMatch(FAILING::contains);
    }
  }

  /**
   * Whether the job runs in earnest: RUNNING, and each of its tasks runs or has finished. The state
   * alone does not say so: Flink's default scheduler reports RUNNING with no TaskManager at all.
   */
  public boolean isUp() {
    return state == FlinkJobState.RUNNING && tasks.observed().allUp();
  }

  /**
   * Whether it runs in earnest if it is a batch job. Those run stage by stage: tasks whose inputs
   * are not produced yet, or that wait for the slots of an earlier stage, are part of a healthy
   * job. So it is enough that some task runs or has finished and none is failing.
   */
  public boolean isUpAsBatch() {
    return isUp()
        || (state == FlinkJobState.RUNNING
            && tasks.in(TaskState.RUNNING) + tasks.in(TaskState.FINISHED) > 0
            && !tasks.anyFailing());
  }

  /** As text: {@code RUNNING, 3 of 4 tasks running, 1 scheduled}. */
  public String display() {
    return word + ", " + tasks.display();
  }
}
