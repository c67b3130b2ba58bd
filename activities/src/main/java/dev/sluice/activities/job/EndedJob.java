package dev.sluice.activities.job;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** What a job that has ended left. One instance for each attempt of an activity. */
final class EndedJob {

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  private final JobTarget target;
  private final FlinkRest flink;
  private final SettleTimer statistics;
  private final SettleTimer absence;

  EndedJob(JobTarget target, FlinkRest flink, Clock clock) {
    this.target = target;
    this.flink = flink;
    this.statistics = new SettleTimer(clock, target.statisticsAge());
    this.absence = new SettleTimer(clock, ABSENCE);
  }

  /** The job lives: what was seen of its end is forgotten. */
  void alive() {
    statistics.reset();
    absence.reset();
  }

  /**
   * The JobManager answers and does not know the job.
   *
   * @return whether that has been so for long enough to believe that the job has ended
   */
  boolean isAbsentForGood() {
    statistics.reset();
    return absence.reached();
  }

  /** The newest state of a job that has ended; empty while its statistics are not final. */
  Optional<NewestState> newest(JobOverview job) {
    absence.reset();
    return statistics.reached() ? Optional.of(statistics(job)) : Optional.empty();
  }

  /** The newest state by what Flink says now, final or not. */
  NewestState statistics(JobOverview job) {
    return NewestState.of(
        job.state(), job.jobId(), flink.checkpoints(target.endpoint(), job.jobId()));
  }
}
