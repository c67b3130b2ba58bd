package dev.sluice.workflows.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.api.common.FlinkJobState;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was observed of a job at one moment. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobObservation.NeverStarted.class, name = "NeverStarted"),
  @JsonSubTypes.Type(value = JobObservation.Alive.class, name = "Alive"),
  @JsonSubTypes.Type(value = JobObservation.Ended.class, name = "Ended"),
  @JsonSubTypes.Type(value = JobObservation.Absent.class, name = "Absent"),
  @JsonSubTypes.Type(value = JobObservation.Unreachable.class, name = "Unreachable")
})
public sealed interface JobObservation {

  /**
   * It is proved that no job of the resource was ever started.
   *
   * @param proof what proves it
   */
  record NeverStarted(String proof) implements JobObservation {}

  /**
   * The job has not ended.
   *
   * @param jobId Flink's job id
   * @param state Flink's job state; RECONCILING when Flink said one that is not known here
   * @param tasks its tasks
   * @param newest the newest state that it could be restored from now: completed by itself, or what
   *     it was restored from; {@link StateRef.Empty} when neither exists; {@link StateRef.Unknown}
   *     when Flink does not report, or has deleted what it tells of
   * @param progressed false only when it is known that it has completed no checkpoint or savepoint
   *     of its own since it was started
   * @param keepsCheckpoints whether Flink keeps its checkpoints when it is cancelled
   * @param savepointTimeoutMs how long Flink lets a savepoint of it take, in ms
   * @param times when it was begun and took checkpoints
   */
  record Alive(
      String jobId,
      FlinkJobState state,
      Tasks tasks,
      StateRef newest,
      boolean progressed,
      Retention keepsCheckpoints,
      long savepointTimeoutMs,
      Times times)
      implements JobObservation {

    /** An observation of an older worker has no times. */
    public Alive {
      times = Objects.requireNonNullElse(times, Times.UNKNOWN);
    }

    /** Whether it is RUNNING and each of its tasks runs or has finished. */
    @JsonIgnore
    public boolean isUp() {
      return state == FlinkJobState.RUNNING && tasks.allUp();
    }

    /** {@code The job is RUNNING, 1 of 2 tasks running.} */
    @JsonIgnore
    public String display() {
      return "The job is %s, %s.".formatted(state, tasks.display());
    }
  }

  /**
   * The job has ended permanently: FINISHED, FAILED or CANCELED.
   *
   * @param jobId Flink's job id
   * @param state Flink's job state
   * @param newest the state that it left; for FINISHED only the savepoint that it was stopped with,
   *     {@link StateRef.Empty} when it finished by itself
   * @param progressed as in {@link Alive}
   */
  record Ended(String jobId, FlinkJobState state, StateRef newest, boolean progressed)
      implements JobObservation {}

  /**
   * The JobManager answers and does not know the job: not submitted yet, or ended before the
   * JobManager was restarted.
   *
   * @param jobId the job that its cluster was made for; null when that is not known
   */
  record Absent(@Nullable String jobId) implements JobObservation {}

  /**
   * Flink's state is not known: the JobManager does not answer, or is not there.
   *
   * @param why what makes it unreachable, in words
   * @param lastKnownJobId the job that its cluster was made for, or was seen last; null when
   *     unknown
   */
  record Unreachable(String why, @Nullable String lastKnownJobId) implements JobObservation {}

  /**
   * When things happened to a job, ms since the epoch; 0 where they did not, or that is not known.
   *
   * @param observedAtMs when it was looked at
   * @param begunAtMs when its JobManager began it. Without high availability a later time means
   *     that it was begun again, without what it had done
   * @param checkpointAtMs when its newest completed checkpoint was triggered
   * @param pendingSinceMs when the checkpoint was triggered that is in progress
   * @param upSinceMs since when every task is up, by the clock of {@code observedAtMs}; 0 also
   *     while not every task is
   * @param savepointSinceMs when the savepoint was triggered that is in progress, and after which
   *     the job goes on
   */
  record Times(
      long observedAtMs,
      long begunAtMs,
      long checkpointAtMs,
      long pendingSinceMs,
      long upSinceMs,
      long savepointSinceMs) {
    /** Nothing is known. */
    public static final Times UNKNOWN = new Times(0, 0, 0, 0, 0, 0);

    /** Whether a savepoint is in progress after which the job goes on. */
    @JsonIgnore
    public boolean takesSavepoint() {
      return savepointSinceMs > 0;
    }

    /** For how long every task is up without a restart, in ms; 0 when that is not known. */
    @JsonIgnore
    public long upForMs() {
      return upSinceMs == 0 ? 0 : Math.max(0, observedAtMs - upSinceMs);
    }
  }

  /**
   * How many tasks of a job are in which state.
   *
   * @param running tasks in RUNNING
   * @param finished tasks that are done, as of a bounded source
   * @param total all tasks; 0 before the job is scheduled
   */
  record Tasks(int running, int finished, int total) {
    /** The one rule for "all tasks are up": {@code running + finished == total}. */
    public boolean allUp() {
      return total > 0 && running + finished == total;
    }

    /** {@code 3 running + 1 finished of 4 tasks}. */
    @JsonIgnore
    public String display() {
      return finished == 0
          ? running + " of " + total + " tasks running"
          : "%d running + %d finished of %d tasks".formatted(running, finished, total);
    }
  }

  /** What becomes of a job's checkpoints when it is cancelled. */
  enum Retention {
    /** They stay. */
    RETAINED,
    /** Flink deletes them. */
    DELETED,
    /** Flink did not say. */
    UNKNOWN
  }
}
