package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import java.time.Clock;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls one cluster: each call is one pass, with one request. More requests follow only after a
 * change: for the version when Flink begins to answer, and for details of the job, see {@link
 * JobDetails}. Never throws. Called by one thread at a time; the newest answer is read by any.
 */
final class ClusterPoll implements Supplier<ObservedJob> {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterPoll.class);

  /** A single missing answer does not make a running job unreachable. */
  private static final int FAILURES = 3;

  private final FlinkRest flink;
  private final PollTarget target;
  private final LongAdder passes;
  private final JobDetails details;
  private final ClusterDetails cluster;
  private final JobHealth health;
  private volatile Newest newest = new Newest(new Pending(), null);
  private int failures;

  ClusterPoll(FlinkRest flink, PollTarget target, LongAdder passes) {
    this.flink = flink;
    this.target = target;
    this.passes = passes;
    this.details = new JobDetails(flink);
    this.cluster = new ClusterDetails(flink);
    this.health = new JobHealth(flink, Clock.systemUTC());
  }

  /**
   * The newest answer.
   *
   * @param overview of all its jobs; null without an answer
   */
  record Newest(ObservedJob job, @Nullable JobsOverview overview) {}

  Newest newest() {
    return newest;
  }

  PollTarget target() {
    return target;
  }

  @Override
  public ObservedJob get() {
    passes.increment();
    try {
      JobsOverview overview = flink.jobsOverview(target.endpoint());
      failures = 0;
      newest = new Newest(answered(overview), overview);
    } catch (RuntimeException failed) {
      failures++;
      LOG.debug("{} did not answer ({} in a row)", target.endpoint(), failures, failed);
      if (failures >= FAILURES || newest.overview() == null) {
        newest = new Newest(new Unreachable(why(failed)), null);
      }
    }
    return newest.job();
  }

  private Answered answered(JobsOverview overview) {
    Optional<Job> job = job(overview).map(found -> details.complete(target.endpoint(), found));
    return new Answered(job, cluster.of(target, job), health.of(target, job));
  }

  /** The expected job, else the newest that lives, else the newest; none of a session cluster. */
  private Optional<JobOverview> job(JobsOverview overview) {
    Comparator<JobOverview> newest = Comparator.comparing(job -> job.times().start());
    return target.session()
        ? Optional.empty()
        : Optional.ofNullable(target.jobId())
            .flatMap(overview::job)
            .or(() -> overview.alive().stream().max(newest))
            .or(() -> overview.jobs().stream().max(newest));
  }

  private String why(RuntimeException failed) {
    boolean strange =
        failed instanceof FlinkRestException && !(failed instanceof FlinkRestException.Unreachable);
    return "The JobManager of "
        + target.endpoint()
        + (strange ? " does not answer as Flink does" : " does not answer its REST API");
  }
}
