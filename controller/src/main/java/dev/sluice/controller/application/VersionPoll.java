package dev.sluice.controller.application;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.TaskManagerOverview;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.PollTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks the cluster of a version what its job does, and now and then for its details. */
final class VersionPoll implements Supplier<VersionPoll.Answer> {

  private final PollTarget target;
  private final Supplier<ObservedJob> cluster;
  private final FlinkRest flink;
  private final Clock clock;
  private final Duration interval;
  private VersionDetails details = VersionDetails.NONE;
  private Instant asked = Instant.EPOCH;
  private Optional<CheckpointSettings> settings = Optional.empty();

  /**
   * @param cluster what is asked each time
   * @param flink for details; stays the caller's to close
   * @param interval from one question for details to the next
   */
  VersionPoll(
      PollTarget target,
      Supplier<ObservedJob> cluster,
      FlinkRest flink,
      Clock clock,
      Duration interval) {
    this.target = target;
    this.cluster = cluster;
    this.flink = flink;
    this.clock = clock;
    this.interval = interval;
  }

  /**
   * What is known of a version.
   *
   * @param details those that were asked for last
   */
  record Answer(ObservedJob job, VersionDetails details) {

    /** Nobody was asked. */
    static final Answer NOTHING = new Answer(new Pending(), VersionDetails.NONE);

    boolean differsFrom(Answer before) {
      return job.differsFrom(before.job) || !details.equals(before.details);
    }
  }

  @Override
  public Answer get() {
    ObservedJob job = cluster.get();
    Instant now = clock.instant();
    if (job instanceof Answered && !now.isBefore(asked.plus(interval))) {
      asked = now;
      details = Objects.requireNonNullElse(ask(now), details);
    }
    return new Answer(job, details);
  }

  private @Nullable VersionDetails ask(Instant now) {
    List<TaskManagerOverview> managers =
        FlinkRest.orNull(() -> flink.taskManagers(target.endpoint()));
    if (managers == null) {
      return null;
    }
    String id = target.jobId();
    Optional<JobOverview> job =
        id == null
            ? Optional.empty()
            : Optional.ofNullable(FlinkRest.orNull(() -> flink.jobsOverview(target.endpoint())))
                .flatMap(jobs -> jobs.job(id));
    if (id != null && job.isPresent() && settings.isEmpty()) {
      // they do not change while the job lives
      settings = none(FlinkRest.orNull(() -> flink.checkpointSettings(target.endpoint(), id)));
    }
    return new VersionDetails(
        true,
        managers,
        job,
        id == null || job.isEmpty()
            ? Optional.empty()
            : none(FlinkRest.orNull(() -> flink.checkpoints(target.endpoint(), id))),
        settings.flatMap(CheckpointSettings::interval),
        now);
  }

  private static <T> Optional<T> none(@Nullable Optional<T> unanswered) {
    return unanswered == null ? Optional.empty() : unanswered;
  }
}
