package dev.sluice.controller.observation;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one cluster what its jobs do, each time it is called: one request. Flink is asked for more
 * only after a change: for its version when it begins to answer, and for details of the job when
 * they matter, see {@link JobDetails}. Throws nothing. One thread at a time asks; any may read what
 * was told last.
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
  private final HealthDetails health;
  private volatile Told told = new Told(new Pending(), null);
  private int failures;

  ClusterPoll(FlinkRest flink, PollTarget target, LongAdder passes) {
    this.flink = flink;
    this.target = target;
    this.passes = passes;
    this.details = new JobDetails(flink);
    this.cluster = new ClusterDetails(flink);
    this.health = new HealthDetails(flink, Clock.systemUTC());
  }

  /**
   * What the cluster told last.
   *
   * @param overview of all its jobs; null when it does not answer, or was not asked yet
   */
  record Told(ObservedJob job, @Nullable JobsOverview overview) {}

  Told told() {
    return told;
  }

  PollTarget target() {
    return target;
  }

  @Override
  public ObservedJob get() {
    passes.increment();
    try {
      JobsOverview overview = FlinkAnswer.of(flink.jobsOverview(target.endpoint()));
      failures = 0;
      told = new Told(answered(overview), overview);
    } catch (RuntimeException failed) {
      failures++;
      LOG.debug("{} did not answer ({} in a row)", target.endpoint(), failures, failed);
      if (failures >= FAILURES || told.overview() == null) {
        told = new Told(new Unreachable(why(failed)), null);
      }
    }
    return told.job();
  }

  private Answered answered(JobsOverview overview) {
    Optional<Job> job =
        JobOverviewReader.job(overview, target)
            .map(found -> details.complete(target.endpoint(), found));
    ClusterDetails.Known known = cluster.of(target, job);
    return new Answered(job, known.info(), health.of(target, job), known.failing());
  }

  private String why(RuntimeException failed) {
    boolean strange =
        failed instanceof FlinkRestException && !(failed instanceof FlinkRestException.Unreachable);
    return "The JobManager of "
        + target.endpoint()
        + (strange ? " does not answer as Flink does" : " does not answer its REST API");
  }
}
