package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** What a job that has ended left. One instance for each attempt of an activity. */
final class EndedJobState {

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  private final JobTarget target;
  private final FlinkRest flink;
  private final SettleTimer statistics;
  private final SettleTimer absence;

  EndedJobState(JobTarget target, FlinkRest flink, Clock clock) {
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

  /**
   * The outcome for a job that has ended.
   *
   * @param known makes it of the newest state, which is not {@link StateRef.Unknown}
   */
  ProbeResult<TakenState> outcome(
      JobOverview job, Function<NewestState, ProbeResult<TakenState>> known) {
    NewestState newest = newest(job).orElse(null);
    if (newest == null) {
      return ProbeResult.notYet("the job is " + job.word() + ", its statistics are not final yet");
    }
    return newest.state() instanceof StateRef.Unknown unknown
        ? notFound("the job is " + job.word() + " and its " + unknown.reason())
        : known.apply(newest);
  }

  /** The outcome for a job whose state is not known. */
  ProbeResult<TakenState> notFound(String why) {
    return ProbeResult.failed(FailureType.STATE_NOT_FOUND, target.stateNotFound(why));
  }

  /** The newest state by what Flink says now, final or not. */
  NewestState statistics(JobOverview job) {
    return NewestState.of(
        job.state(), job.jobId(), flink.checkpoints(target.endpoint(), job.jobId()));
  }
}
