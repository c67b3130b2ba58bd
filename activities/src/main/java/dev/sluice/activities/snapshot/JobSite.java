package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.resource.HostedJob;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.common.FlinkJobState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where the job of a snapshot runs: what a snapshot has to know of the kind of its job. Pure. */
sealed interface JobSite {

  /** Where the job of that resource runs. */
  static JobSite of(StoredResource resource) {
    return resource.hosted().<JobSite>map(OnSessionCluster::new).orElseGet(OwnCluster::new);
  }

  /**
   * The job that is meant, of those that its cluster knows.
   *
   * @param jobId null when that is not known
   */
  Optional<JobOverview> job(JobsOverview known, @Nullable String jobId);

  /** Why there is no cluster that could be asked; empty when there may be one. */
  Optional<String> absence();

  /** What waits for the savepoints in progress, so that none is begun; empty when nothing does. */
  Optional<String> awaitsSavepoints();

  /** How a job that Flink does not know any more has ended; empty when that is not known. */
  Optional<FlinkJobState> forgotten();

  /**
   * What happens to the cluster that a job which is not up now is not to blame for; empty when
   * nothing does.
   */
  Optional<String> disturbance();

  /** A cluster of its own: whatever happens to that is an operation of the resource. */
  record OwnCluster() implements JobSite {

    @Override
    public Optional<JobOverview> job(JobsOverview known, @Nullable String jobId) {
      if (jobId != null) {
        return known.job(jobId);
      }
      return known.alive().size() == 1 ? Optional.of(known.alive().get(0)) : Optional.empty();
    }

    @Override
    public Optional<String> absence() {
      return Optional.empty();
    }

    @Override
    public Optional<String> awaitsSavepoints() {
      return Optional.empty();
    }

    @Override
    public Optional<FlinkJobState> forgotten() {
      return Optional.empty();
    }

    @Override
    public Optional<String> disturbance() {
      return Optional.empty();
    }
  }

  /**
   * The cluster of another resource, with the jobs of others.
   *
   * @param hosted with the state of that resource
   */
  record OnSessionCluster(HostedJob hosted) implements JobSite {

    /** Another job of the cluster never takes the place of one whose id is not known. */
    @Override
    public Optional<JobOverview> job(JobsOverview known, @Nullable String jobId) {
      return jobId == null ? Optional.empty() : known.job(jobId);
    }

    @Override
    public Optional<String> absence() {
      return hosted.hostUid() == null
          ? Optional.of(hosted.display() + " does not exist")
          : Optional.empty();
    }

    @Override
    public Optional<String> awaitsSavepoints() {
      return hosted.awaitsSavepoints()
          ? Optional.of("an operation is about to begin at " + hosted.display())
          : Optional.empty();
    }

    @Override
    public Optional<FlinkJobState> forgotten() {
      return Optional.ofNullable(hosted.endedAs());
    }

    @Override
    public Optional<String> disturbance() {
      return Optional.ofNullable(hosted.awaits());
    }
  }
}
