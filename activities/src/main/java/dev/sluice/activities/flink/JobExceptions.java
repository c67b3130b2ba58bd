package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The newest failures in a job's exception history; none when it never failed.
 *
 * @param newestFirst as many as were asked for, or all
 */
public record JobExceptions(List<Failure> newestFirst) {

  public JobExceptions {
    newestFirst = List.copyOf(newestFirst);
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
