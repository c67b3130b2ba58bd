package dev.sluice.controller.status;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reasons and messages about jobs, the same for every kind. */
public final class JobWords {

  private JobWords() {}

  /** No job is to run; where it goes on from. */
  public static String suspended(SeenResource seen) {
    JobStatus job = seen.status().jobStatus();
    String path = job == null ? null : job.upgradeSavepointPath();
    return "The job is suspended" + (path == null ? "." : "; a resume starts from " + path + ".");
  }

  /** That a job has finished by itself. */
  public static String finished(@Nullable String jobId) {
    return "Job " + jobId + " has finished.";
  }

  /** The beginning of the words of {@link #job} about a job that has failed. */
  static String failedPrefix(@Nullable String jobId) {
    return "Job %s is %s".formatted(jobId, FlinkJobState.FAILED);
  }

  /** State of a job that was answered by Flink. */
  public static String job(Job job) {
    if (job.state() == FlinkJobState.FINISHED) {
      return finished(job.id());
    }
    // of one that runs again, though not in full, Running is True: Ready has the exception
    boolean runs = job.state() == FlinkJobState.RUNNING;
    String cause = runs ? "" : job.failure().map(it -> ": " + it).orElse("");
    return sentence("Job %s is %s%s".formatted(job.id(), job.state(), cause));
  }

  /** Ends with a full stop, as many exceptions do by themselves. */
  private static String sentence(String text) {
    return text.endsWith(".") ? text : text + ".";
  }

  /** Of a job that does not do what it is there for. */
  public static String notUp(Job job) {
    return job.state() == FlinkJobState.RUNNING
        ? "Not all tasks of job "
            + job.id()
            + " run."
            + job.failure().map(it -> " Newest exception: " + sentence(it)).orElse("")
        : job(job);
  }

  /** {@code JOB_STATE} as {@code JobState}. */
  public static String camelCase(FlinkJobState state) {
    StringBuilder text = new StringBuilder();
    for (String word : state.name().split("_", -1)) {
      if (!word.isEmpty()) {
        text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
      }
    }
    return text.toString();
  }
}
