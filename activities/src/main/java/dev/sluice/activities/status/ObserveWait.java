package dev.sluice.activities.status;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks until the state of the job is determined, or patience ends. What it says of Kubernetes is
 * what the API server said in the same moment as Flink, not what memory has. One instance for each
 * attempt of the activity.
 */
final class ObserveWait {

  private static final Duration SAME_MOMENT = Duration.ofSeconds(1);

  private final Instant end;
  private final Supplier<Reading> reads;
  private final Function<RunningCluster, Supplier<JobProbe.Probe>> jobs;
  private final ClusterAccess access;
  private boolean hadCluster;
  private Reading reading;
  private Supplier<JobProbe.Probe> job;

  /**
   * Reads once, so it blocks.
   *
   * @param end when patience ends
   * @param reads asks the API server; blocks
   * @param jobs begins to look at the job of a cluster; a look never fails
   */
  ObserveWait(
      Instant end,
      Supplier<Reading> reads,
      Function<RunningCluster, Supplier<JobProbe.Probe>> jobs,
      ClusterAccess access) {
    this.end = end;
    this.reads = reads;
    this.jobs = jobs;
    this.access = access;
    this.reading = reads.get();
    this.hadCluster = reading.hasCluster();
    this.job = jobs.apply(reading.cluster());
  }

  /** The cluster, as the watcher is woken by it. */
  String key() {
    return reading.resource().cluster().display();
  }

  ProbeResult<Observation> look() {
    if (reading.withoutFlink().isPresent()) {
      return concludeWithoutFlink();
    }
    JobProbe.Probe seen = job.get();
    boolean enough = seen.settled() || isOver() || isGoneFromMemory();
    return enough ? conclude(seen) : ProbeResult.notYet(seen.progress());
  }

  private boolean isOver() {
    return !access.clock().instant().isBefore(end);
  }

  /** A JobManager whose Deployment was deleted is not waited for. */
  private boolean isGoneFromMemory() {
    return access.cache().synced()
        && access.cache().deployment(reading.resource().cluster()).isEmpty();
  }

  private ProbeResult<Observation> concludeWithoutFlink() {
    Reading now = fresh();
    Optional<JobObservation> known = now.withoutFlink();
    if (known.isEmpty() || (now.isClearing() && !isOver())) {
      return ProbeResult.notYet("the cluster is changing");
    }
    return done(now, known.get());
  }

  private ProbeResult<Observation> conclude(JobProbe.Probe seen) {
    Reading before = reading;
    Reading now = fresh();
    Optional<JobObservation> known = now.withoutFlink();
    if (known.isPresent()) {
      return done(now, known.get());
    }
    if (now.hasSameClusterAs(before)) {
      return seen.settled() || isOver()
          ? ProbeResult.done(
              now.with(believed(seen.job(), now), seen.otherJobs())
                  .withSavepoints(seen.savepoints()))
          : ProbeResult.notYet(seen.progress());
    }
    // what was seen is of a cluster that is gone
    return isOver()
        ? ProbeResult.done(now.with(now.unreachable("its cluster was just replaced"), List.of()))
        : ProbeResult.notYet("the cluster was just replaced");
  }

  /** Of a job that Flink does not report, the recorded end, if there is one. */
  private static JobObservation believed(JobObservation job, Reading now) {
    boolean told =
        !(job instanceof JobObservation.Absent || job instanceof JobObservation.Unreachable);
    return told ? job : now.recordedEnd().orElseGet(() -> named(job, now));
  }

  /** A Deployment that does not say its job had one that was seen before. */
  private static JobObservation named(JobObservation job, Reading now) {
    return job instanceof JobObservation.Unreachable silent && silent.lastKnownJobId() == null
        ? now.unreachable(silent.why())
        : job;
  }

  /** A cluster that was here a moment ago may have run a job, whatever the status says. */
  private ProbeResult<Observation> done(Reading now, JobObservation known) {
    boolean disproved = hadCluster && known instanceof JobObservation.NeverStarted;
    JobObservation seen =
        disproved ? now.unreachable("the JobManager Deployment is missing") : known;
    return ProbeResult.done(now.with(seen, List.of()));
  }

  private Reading fresh() {
    Reading before = reading;
    if (access.clock().instant().isBefore(before.at().plus(SAME_MOMENT))) {
      return before;
    }
    Reading now = reads.get();
    reading = now;
    hadCluster |= now.hasCluster();
    if (!now.hasSameClusterAs(before)) {
      job = jobs.apply(now.cluster());
    }
    return now;
  }
}
