package dev.sluice.activities.flink;

import java.time.Instant;
import java.util.Optional;

/** Reads what Flink says about a cluster and its jobs. */
final class OverviewAnswers {

  private OverviewAnswers() {}

  static ClusterOverview cluster(FlinkJson answer) {
    return new ClusterOverview(
        answer.text("flink-version"),
        answer.optionalText("flink-commit").orElse(""),
        answer.count("taskmanagers"),
        answer.count("slots-total"),
        answer.count("slots-available"),
        answer.count("jobs-running"),
        answer.count("jobs-finished"),
        answer.count("jobs-cancelled"),
        answer.count("jobs-failed"));
  }

  static JobsOverview jobs(FlinkJson answer) {
    return new JobsOverview(answer.list("jobs", OverviewAnswers::job));
  }

  private static JobOverview job(FlinkJson job) {
    long end = job.number("end-time");
    return new JobOverview(
        job.text("jid"),
        job.text("name"),
        JobStates.parse(job.text("state")),
        job.text("state"),
        new JobOverview.Times(
            job.instant("start-time"),
            end < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(end)),
            job.instant("last-modification")),
        tasks(job.object("tasks")));
  }

  private static JobOverview.Tasks tasks(FlinkJson tasks) {
    return new JobOverview.Tasks(
        tasks.count("total"),
        tasks.countOr("created", 0),
        tasks.countOr("scheduled", 0),
        tasks.countOr("deploying", 0),
        tasks.countOr("initializing", 0),
        tasks.count("running"),
        tasks.countOr("finished", 0),
        tasks.countOr("canceling", 0),
        tasks.countOr("canceled", 0),
        tasks.countOr("failed", 0),
        tasks.countOr("reconciling", 0));
  }

  /** Of the plan in which the type of a job is told. */
  static JobType type(FlinkJson answer) {
    return answer.object("plan").optionalText("type").orElse("").equals(JobType.BATCH.name())
        ? JobType.BATCH
        : JobType.STREAMING;
  }

  /** With {@code maxExceptions=1}, which keeps the newest. */
  static JobExceptions exceptions(FlinkJson answer) {
    return new JobExceptions(
        answer
            .optionalObject("exceptionHistory")
            .flatMap(
                history ->
                    history.list("entries", OverviewAnswers::exception).stream().findFirst()));
  }

  private static JobExceptions.Latest exception(FlinkJson entry) {
    return new JobExceptions.Latest(
        StackTrace.shorten(entry.text("stacktrace")),
        entry.instant("timestamp"),
        entry.optionalText("taskName"));
  }
}
