package dev.sluice.activities.rescale;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Checkpoints.Kind;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.resource.TargetSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A job of an adaptive scheduler that is to go on with another parallelism.
 *
 * @param endpoint where its JobManager answers
 * @param stable the spec by which it ran
 * @param target the spec by which it is to run
 */
record Scaling(
    FlinkRest flink,
    Endpoint endpoint,
    RescaledCluster cluster,
    String jobId,
    TargetSpec stable,
    TargetSpec target) {

  private static final Duration YOUNG = Duration.ofMinutes(1);

  ResourceRequirements required() {
    return flink.requirements(endpoint, jobId);
  }

  /** Whatever is required now: an earlier request may still be on its way. */
  ResourceRequirements require(ResourceRequirements wanted) {
    return flink.require(endpoint, jobId, wanted);
  }

  /** Whether each vertex has as many subtasks, by an answer that may be some seconds old. */
  boolean runs(ResourceRequirements wanted) {
    Map<String, ResourceRequirements.Vertex> now = flink.vertices(endpoint, jobId);
    return wanted.vertices().entrySet().stream()
        .allMatch(
            it ->
                now.containsKey(it.getKey())
                    && now.get(it.getKey()).parallelism() == it.getValue().upper());
  }

  Optional<JobOverview> job() {
    return flink.jobsOverview(endpoint).job(jobId);
  }

  /**
   * How the job ran by the stable spec: as it was noted, or as it runs now.
   *
   * @param now what is required
   */
  RescaleNote before(ResourceRequirements now) {
    return noted()
        .filter(it -> it.vertices().keySet().equals(now.vertices().keySet()))
        .orElseGet(() -> RescaleNote.of(jobId, generation(), now, flink.vertices(endpoint, jobId)));
  }

  /** Empty when nothing was changed since the stable spec. */
  Optional<RescaleNote> noted() {
    return cluster.note(generation());
  }

  private long generation() {
    return stable.target().generation();
  }

  ScaledRequirements scaled(RescaleNote before) {
    return ScaledRequirements.of(before, stable.parallelism(), target.parallelism());
  }

  /** A newer spec comes while the cluster is on its way to the frozen one. */
  boolean isMadeFromStable() {
    Long made = cluster.generation();
    return made == null || made == generation() || noted().isPresent();
  }

  /**
   * Why its tasks, which start again from the newest checkpoint, may not do so now: it is older
   * than two intervals and a minute, or there is none.
   */
  Optional<String> noCheckpoint(Instant otherwiseNow) {
    Duration interval =
        flink
            .checkpointSettings(endpoint, jobId)
            .flatMap(CheckpointSettings::interval)
            .orElse(null);
    if (interval == null) {
      return Optional.of("the job takes no checkpoints, from which its tasks could start again");
    }
    // Flink starts no tasks from a savepoint after which the job went on
    Completed newest =
        flink
            .checkpoints(endpoint, jobId)
            .flatMap(Checkpoints::latestCompleted)
            .filter(it -> it.kind() == Kind.CHECKPOINT && !it.discarded())
            .orElse(null);
    if (newest == null) {
      return Optional.of("the job has no checkpoint since its JobManager started");
    }
    Duration usual = interval.multipliedBy(2);
    Duration most = usual.compareTo(YOUNG) < 0 ? YOUNG : usual;
    Instant now = job().flatMap(it -> it.times().now()).orElse(otherwiseNow);
    Duration age = Duration.between(newest.completedAt().orElse(newest.triggeredAt()), now);
    return age.compareTo(most) <= 0
        ? Optional.empty()
        : Optional.of(
            "its newest checkpoint was completed %d s ago, more than %d s"
                .formatted(age.toSeconds(), most.toSeconds()));
  }
}
