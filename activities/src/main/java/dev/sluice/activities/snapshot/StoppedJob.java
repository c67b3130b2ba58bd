package dev.sluice.activities.snapshot;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.api.common.FlinkJobState;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether an attempt ended because its job was stopped. Such an attempt is no failure, except
 * where the job itself failed or is brought back: the savepoint may be the cause. Every method
 * blocks for two calls to Kubernetes and up to two to Flink.
 */
final class StoppedJob {

  /** Flink aborts what is in progress when it stops a job, which is up until its last savepoint. */
  private static final List<String> STOPS =
      List.of("Checkpoint Coordinator is suspending", "CheckpointCoordinator shutdown");

  private final String named;
  private final String jobId;
  private final Supplier<Optional<JobOwner>> owners;
  private final FlinkRest flink;

  /**
   * @param named what runs the job, as messages name it
   * @param jobId the job that the snapshot was triggered on
   * @param owners reads what runs it; blocks
   */
  StoppedJob(String named, String jobId, Supplier<Optional<JobOwner>> owners, FlinkRest flink) {
    this.named = named;
    this.jobId = jobId;
    this.owners = owners;
    this.flink = flink;
  }

  /**
   * How a job was stopped.
   *
   * @param how in words
   * @param failed whether the job has failed
   */
  record Stop(String how, boolean failed) {}

  /** For a JobManager that does not answer: only what no answer of it could change. */
  Optional<Stop> whileSilent() {
    return replaced(owners.get());
  }

  /** For a snapshot that still queues: an operation at work is about to stop the job. */
  Optional<Stop> beforeTrigger() {
    Optional<JobOwner> owner = owners.get();
    return replaced(owner).or(() -> owner.flatMap(this::atWork));
  }

  /**
   * For an attempt that Flink says has failed, or has forgotten. Fails when the JobManager does not
   * answer and nothing else says that the job was stopped.
   *
   * @param failure Flink's words; null when it has forgotten it
   */
  Optional<Stop> after(@Nullable String failure) {
    Optional<JobOwner> found = owners.get();
    Optional<Stop> replaced = replaced(found);
    if (replaced.isPresent() || found.isEmpty()) {
      return replaced;
    }
    JobOwner owner = found.get();
    Optional<JobOverview> job = Optional.empty();
    FlinkRestException silent = null;
    try {
      job = flink.jobsOverview(owner.cluster().endpoint()).job(jobId);
    } catch (FlinkRestException unanswered) {
      silent = unanswered;
    }
    boolean isUp = job.filter(JobOverview::isUp).isPresent();
    boolean aborted = failure != null && STOPS.stream().anyMatch(failure::contains);
    Optional<Stop> stop =
        atWork(owner)
            .filter(it -> aborted || !isUp)
            .or(
                () ->
                    owner.site().disturbance().filter(it -> !isUp).map(it -> new Stop(it, false)));
    if (stop.isEmpty() && silent != null) {
      throw silent;
    }
    return stop.isPresent()
        ? stop
        : job.filter(it -> it.state().isGloballyTerminal()).map(this::ended);
  }

  private Optional<Stop> replaced(Optional<JobOwner> found) {
    if (found.isEmpty()) {
      return stopped(named + " does not exist any more", false);
    }
    JobOwner owner = found.get();
    if (owner.isDeleting()) {
      return stopped(named + " is being deleted", false);
    }
    if (owner.isSuspended()) {
      return stopped(named + " is suspended", false);
    }
    String madeFor = owner.cluster().jobId();
    return madeFor == null || madeFor.equals(jobId)
        ? Optional.empty()
        : stopped(
            "the job of %s was replaced by job %s".formatted(named, madeFor), owner.isOfRecovery());
  }

  private Optional<Stop> atWork(JobOwner owner) {
    return owner
        .operation()
        .map(it -> new Stop(it + " is at work on " + named, owner.isOfRecovery()));
  }

  private Stop ended(JobOverview job) {
    return new Stop(
        "the job of %s is %s".formatted(named, job.word()), job.state() == FlinkJobState.FAILED);
  }

  private static Optional<Stop> stopped(String how, boolean failed) {
    return Optional.of(new Stop(how, failed));
  }
}
