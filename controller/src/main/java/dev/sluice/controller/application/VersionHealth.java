package dev.sluice.controller.application;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.TaskManagerOverview;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.application.HealthStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.WrittenTime;
import dev.sluice.controller.observation.ObservedJob.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Green, Yellow and Red by the rules of Lyft's operator, where its code does what they mean: a job
 * that has failed is Red, one that has finished Green, one whose checkpoints have stopped Yellow,
 * and a JobManager that does not answer makes both Red. Pure.
 */
final class VersionHealth {

  private static final Duration HEARTBEAT = Duration.ofMinutes(2);
  private static final Duration FAILING = Duration.ofMinutes(1);
  private static final Duration STALE = Duration.ofMinutes(10);

  private VersionHealth() {}

  /** TaskManagers whose last heartbeat is no more than 2 min old. */
  static int healthy(VersionDetails details) {
    Instant least = details.at().minus(HEARTBEAT);
    return (int)
        details.taskManagers().stream()
            .map(TaskManagerOverview::lastHeartbeat)
            .filter(last -> !last.isBefore(least))
            .count();
  }

  /** That of a cluster that answers. */
  static HealthStatus ofCluster(int healthy, int wanted) {
    return healthy >= wanted ? HealthStatus.GREEN : HealthStatus.YELLOW;
  }

  /**
   * That of a job that Flink knows.
   *
   * @param shown the status that is written now: tasks, and when it was last seen failing
   */
  static HealthStatus ofJob(
      Job job, ApplicationJobStatus shown, VersionDetails details, Instant now) {
    return switch (job.state()) {
      case FINISHED -> HealthStatus.GREEN;
      case FAILED, CANCELED, FAILING, RESTARTING -> HealthStatus.RED;
      case RUNNING -> running(job, shown, details, now);
      case INITIALIZING, CREATED, RECONCILING, CANCELLING, SUSPENDED -> HealthStatus.YELLOW;
    };
  }

  private static HealthStatus running(
      Job job, ApplicationJobStatus shown, VersionDetails details, Instant now) {
    boolean failedJustNow =
        WrittenTime.read(shown.lastFailingTime())
            .filter(at -> at.plus(FAILING).isAfter(now))
            .isPresent();
    boolean unscheduled =
        !job.tasksUp()
            && details
                .job()
                .map(JobOverview::tasks)
                .filter(it -> it.in(TaskState.CREATED) > 0)
                .isPresent();
    if (failedJustNow || unscheduled) {
      return HealthStatus.RED;
    }
    return job.tasksUp() && !isStale(details, now) ? HealthStatus.GREEN : HealthStatus.YELLOW;
  }

  /** Whether a job that takes checkpoints has completed none for much longer than it should. */
  private static boolean isStale(VersionDetails details, Instant now) {
    Optional<Instant> last =
        Stream.of(
                details.checkpoints().flatMap(VersionHealth::newest).map(VersionHealth::completed),
                details.job().map(it -> it.times().lastModification()))
            .flatMap(Optional::stream)
            .max(Comparator.naturalOrder());
    return details.interval().isPresent()
        && last.map(at -> at.plus(limit(details.interval().get())))
            .filter(until -> until.isBefore(now))
            .isPresent();
  }

  private static Duration limit(Duration interval) {
    Duration several = interval.multipliedBy(3);
    return several.compareTo(STALE) > 0 ? several : STALE;
  }

  /** The newest completed checkpoint or savepoint. */
  static Optional<Completed> newest(Checkpoints checkpoints) {
    return Stream.of(checkpoints.latestCompleted(), checkpoints.latestSavepoint())
        .flatMap(Optional::stream)
        .max(Comparator.comparingLong(Completed::id));
  }

  static Instant completed(Completed checkpoint) {
    return checkpoint.completedAt().orElse(checkpoint.triggeredAt());
  }

  static boolean isFailing(FlinkJobState state) {
    return state == FlinkJobState.FAILING || state == FlinkJobState.RESTARTING;
  }
}
