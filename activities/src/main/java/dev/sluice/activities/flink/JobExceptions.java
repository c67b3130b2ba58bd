package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The newest failures in a job's exception history; none when it never failed.
 *
 * @param newestFirst as many as were asked for, or all
 */
public record JobExceptions(List<Failure> newestFirst) {

  public JobExceptions {
    newestFirst = List.copyOf(newestFirst);
  }

  private record History(@JsonProperty(required = true) List<Failure> entries) {}

  @JsonCreator
  static JobExceptions of(@JsonProperty("exceptionHistory") @Nullable History history) {
    return new JobExceptions(history == null ? List.of() : history.entries);
  }

  public Optional<Failure> latest() {
    return newestFirst.stream().findFirst();
  }

  /**
   * A failure that made the job fail or restart.
   *
   * @param cause without credentials
   * @param at when, by the JobManager's clock
   * @param origin where it came from
   * @param frames the first lines of the root cause's stack trace: {@code at a.b.C.d(C.java:12)}
   */
  public record Failure(FlinkCause cause, Instant at, Origin origin, List<String> frames) {

    public Failure {
      frames = List.copyOf(frames);
    }

    /** Flink up to 1.16 calls the endpoint of the TaskManager its location; later ones say both. */
    @JsonCreator
    static Failure of(
        @JsonProperty(value = "stacktrace", required = true) String trace,
        @JsonProperty(value = "timestamp", required = true) Instant at,
        @JsonProperty("taskName") @Nullable String task,
        @JsonProperty("taskManagerId") @Nullable String taskManager,
        @JsonProperty("endpoint") @Nullable String endpoint,
        @JsonProperty("location") @Nullable String location) {
      return new Failure(
          StackTrace.shorten(trace),
          at,
          new Origin(
              Optional.ofNullable(task).map(StackTrace::bounded),
              Stream.of(taskManager, endpoint, location).flatMap(Stream::ofNullable).findFirst()),
          StackTrace.frames(trace));
    }

    /** One line: the cause and the task. */
    public String summary() {
      return cause.summary() + origin.taskName.map(task -> " (in task " + task + ")").orElse("");
    }
  }

  /**
   * Where a failure came from.
   *
   * @param taskName empty for a failure of the whole job
   * @param taskManager its id, else its address; empty when there was none
   */
  public record Origin(Optional<String> taskName, Optional<String> taskManager) {

    public static final Origin JOB = new Origin(Optional.empty(), Optional.empty());
  }
}
