package dev.sluice.controller.application;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.TaskManagerOverview;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks the clusters of versions for their details, now and then, and remembers the answers. At most
 * one question to a cluster is under way; no thread waits for it.
 */
final class VersionQuestions {

  private final FlinkRest flink;
  private final Clock clock;
  private final Duration interval;
  private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

  /**
   * @param flink stays the caller's to close
   * @param interval from one question to the next
   */
  VersionQuestions(FlinkRest flink, Clock clock, Duration interval) {
    this.flink = flink;
    this.clock = clock;
    this.interval = interval;
  }

  /**
   * What is known of a version.
   *
   * @param subject what the answers are about: those about something else are void
   */
  VersionDetails details(String key, String subject) {
    Known last = known.get(key);
    return last == null || !last.subject.equals(subject) ? VersionDetails.NONE : last.details;
  }

  /**
   * Asks, if it is time.
   *
   * @param jobId the recorded job; null for none
   * @param changed called, on any thread, when there is an answer
   * @return when to ask again
   */
  Duration ask(
      String key, String subject, Endpoint endpoint, @Nullable String jobId, Runnable changed) {
    Instant now = clock.instant();
    Known last = known.get(key);
    Known same = last != null && last.subject.equals(subject) ? last : null;
    if (same != null && (same.asking || now.isBefore(same.asked.plus(interval)))) {
      Duration left = Duration.between(now, same.asked.plus(interval));
      return left.isNegative() || left.isZero() ? interval : left;
    }
    Known question =
        same == null
            ? new Known(subject, VersionDetails.NONE, Optional.empty(), now, true)
            : new Known(subject, same.details, same.settings, now, true);
    known.put(key, question);
    answer(endpoint, jobId, question.settings)
        .whenComplete((answer, failed) -> take(key, question, answer, changed));
    return interval;
  }

  private record Answer(VersionDetails details, Optional<CheckpointSettings> settings) {}

  private void take(String key, Known question, @Nullable Answer answer, Runnable changed) {
    Known now =
        answer == null
            ? new Known(
                question.subject, question.details, question.settings, question.asked, false)
            : new Known(question.subject, answer.details, answer.settings, question.asked, false);
    if (known.replace(key, question, now) && !now.details.equals(question.details)) {
      changed.run();
    }
  }

  private CompletableFuture<Answer> answer(
      Endpoint endpoint, @Nullable String jobId, Optional<CheckpointSettings> settings) {
    try {
      return flink
          .taskManagers(endpoint)
          .thenCompose(managers -> job(endpoint, jobId, settings, managers));
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private CompletableFuture<Answer> job(
      Endpoint endpoint,
      @Nullable String jobId,
      Optional<CheckpointSettings> settings,
      List<TaskManagerOverview> managers) {
    if (jobId == null) {
      return CompletableFuture.completedFuture(
          answer(managers, Optional.empty(), Optional.empty(), settings));
    }
    return flink
        .jobsOverview(endpoint)
        .thenCompose(
            jobs -> {
              Optional<JobOverview> job = jobs.job(jobId);
              return job.isEmpty()
                  ? CompletableFuture.completedFuture(
                      answer(managers, job, Optional.empty(), settings))
                  : checkpoints(endpoint, jobId)
                      .thenCombine(
                          settings(endpoint, jobId, settings),
                          (taken, learnt) -> answer(managers, job, taken, learnt));
            });
  }

  /** Of a job that has ended a moment ago there may be none. */
  private CompletableFuture<Optional<Checkpoints>> checkpoints(Endpoint endpoint, String jobId) {
    return flink
        .checkpoints(endpoint, jobId)
        .handle((taken, failed) -> taken == null ? Optional.empty() : taken);
  }

  /** They do not change while the job lives. */
  private CompletableFuture<Optional<CheckpointSettings>> settings(
      Endpoint endpoint, String jobId, Optional<CheckpointSettings> settings) {
    return settings.isPresent()
        ? CompletableFuture.completedFuture(settings)
        : flink
            .checkpointSettings(endpoint, jobId)
            .handle((read, failed) -> read == null ? Optional.empty() : read);
  }

  private Answer answer(
      List<TaskManagerOverview> managers,
      Optional<JobOverview> job,
      Optional<Checkpoints> checkpoints,
      Optional<CheckpointSettings> settings) {
    return new Answer(
        new VersionDetails(
            true,
            managers,
            job,
            checkpoints,
            settings.flatMap(CheckpointSettings::interval),
            clock.instant()),
        settings);
  }

  /** Asks no more of that version, and forgets. */
  void forget(String key) {
    known.remove(key);
  }

  private record Known(
      String subject,
      VersionDetails details,
      Optional<CheckpointSettings> settings,
      Instant asked,
      boolean asking) {}
}
