package dev.sluice.activities.flink;

import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.api.common.FlinkJobState;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what Flink says about a cluster and its jobs. */
final class OverviewAnswers {

  private OverviewAnswers() {}

  static ClusterOverview cluster(FlinkJson answer) {
    return new ClusterOverview(
        answer.text("flink-version"),
        answer.optionalText("flink-commit").orElse(""),
        answer.count("taskmanagers"),
        answer.count("slots-total"));
  }

  /** What Flink calls the time since the last heartbeat is the time of it. */
  static List<TaskManagerOverview> taskManagers(FlinkJson answer) {
    return answer.list(
        "taskmanagers",
        it ->
            new TaskManagerOverview(
                it.instant("timeSinceLastHeartbeat"),
                it.count("slotsNumber"),
                it.count("freeSlots")));
  }

  static JobsOverview jobs(FlinkJson answer) {
    return new JobsOverview(answer.list("jobs", OverviewAnswers::job));
  }

  private static JobOverview job(FlinkJson job) {
    long end = job.number("end-time");
    return new JobOverview(
        job.text("jid"),
        job.text("name"),
        state(job.text("state")),
        job.text("state"),
        new JobOverview.Times(
            job.instant("start-time"),
            end < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(end)),
            job.instant("last-modification"),
            now(job)),
        tasks(job.object("tasks")));
  }

  /** A word of a later Flink is RECONCILING: not known, and never a reason to act. */
  static FlinkJobState state(String word) {
    return Stream.of(FlinkJobState.values())
        .filter(state -> state.name().equals(word))
        .findFirst()
        .orElse(FlinkJobState.RECONCILING);
  }

  /** The duration of a job counts from its start to its end, or to the moment of the answer. */
  private static Optional<Instant> now(FlinkJson job) {
    long duration = job.node().path("duration").asLong(-1);
    return duration < 0
        ? Optional.empty()
        : Optional.of(job.instant("start-time").plusMillis(duration));
  }

  private static JobOverview.Tasks tasks(FlinkJson tasks) {
    Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
    for (TaskState state : TaskState.values()) {
      counts.put(state, tasks.countOr(state.word(), 0));
    }
    counts.put(TaskState.RUNNING, tasks.count(TaskState.RUNNING.word()));
    return new JobOverview.Tasks(tasks.count("total"), counts);
  }

  /** Of the plan in which the type of a job is told. */
  static JobType type(FlinkJson answer) {
    return answer.object("plan").optionalText("type").orElse("").equals(JobType.BATCH.name())
        ? JobType.BATCH
        : JobType.STREAMING;
  }

  static JobExceptions exceptions(FlinkJson answer) {
    return new JobExceptions(
        answer
            .optionalObject("exceptionHistory")
            .map(history -> history.list("entries", OverviewAnswers::exception))
            .orElse(List.of()));
  }

  private static JobExceptions.Failure exception(FlinkJson entry) {
    String trace = entry.text("stacktrace");
    return new JobExceptions.Failure(
        StackTrace.shorten(trace),
        entry.instant("timestamp"),
        new JobExceptions.Origin(
            entry.optionalText("taskName").map(StackTrace::bounded),
            entry
                .optionalText("taskManagerId")
                .or(() -> entry.optionalText("endpoint"))
                .or(() -> entry.optionalText("location"))),
        StackTrace.frames(trace));
  }
}
