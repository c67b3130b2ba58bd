package dev.sluice.activities.rescale;

import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.rescale.RescaleNote.Noted;
import dev.sluice.activities.resource.Parallelism;
import dev.sluice.api.deployment.InPlaceScaling;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is required of Flink for another spec. A vertex that ran with the parallelism of the old
 * spec follows that of the new one; one for which the job itself says something else keeps it.
 * Pure.
 *
 * @param requirements of every vertex
 * @param problem why they do not make the job that of the other spec; empty when they do
 * @param againstState a vertex whose state does not allow them, in words; empty when there is none.
 *     The maximum is one of its state: no upgrade that keeps the state changes it, whatever the
 *     spec says
 */
record ScaledRequirements(
    ResourceRequirements requirements, Optional<String> problem, Optional<String> againstState) {

  /**
   * @param before how the job ran by the old spec
   */
  static ScaledRequirements of(RescaleNote before, Parallelism from, Parallelism to) {
    SortedMap<String, Bounds> scaled = new TreeMap<>();
    Optional<String> against = Optional.empty();
    String problem =
        to.overrides().keySet().stream()
            .filter(id -> !before.vertices().containsKey(id))
            .findFirst()
            .map(id -> "the job has no vertex " + id)
            .or(() -> noLongerSet(before, from, to))
            .or(() -> fewerTaskManagers(from, to))
            .orElseGet(() -> nothingFollows(before, from, to));
    for (Map.Entry<String, Noted> vertex : before.vertices().entrySet()) {
      Noted old = vertex.getValue();
      int wanted = wanted(vertex.getKey(), old, from, to);
      against =
          against
              .or(() -> tooMany(vertex.getKey(), old, wanted))
              .or(() -> otherMaximum(vertex.getKey(), old, from, to));
      scaled.put(vertex.getKey(), new Bounds(Math.min(old.lower(), wanted), wanted));
    }
    return new ScaledRequirements(
        new ResourceRequirements(scaled), Optional.ofNullable(problem), against);
  }

  private static Optional<String> tooMany(String id, Noted vertex, int wanted) {
    return vertex.max() > 0 && wanted > vertex.max()
        ? Optional.of(
            "vertex %s can have %d subtasks at most, not %d".formatted(id, vertex.max(), wanted))
        : Optional.empty();
  }

  /** Only a maximum that Flink had chosen by itself gives way to that of the state. */
  private static Optional<String> otherMaximum(
      String id, Noted vertex, Parallelism from, Parallelism to) {
    Integer now = from.maximum();
    Integer then = to.maximum();
    return now != null && then != null && !now.equals(then) && vertex.max() == now
        ? Optional.of(
            "the state of vertex %s has %s %d, and Flink restores it with no other, such as %d"
                .formatted(id, InPlaceScaling.MAXIMUM, now, then))
        : Optional.empty();
  }

  /** Only a JobManager that starts anew finds out what the code of the job says of it. */
  private static Optional<String> noLongerSet(
      RescaleNote before, Parallelism from, Parallelism to) {
    return from.overrides().keySet().stream()
        .filter(id -> before.vertices().containsKey(id) && !to.overrides().containsKey(id))
        .findFirst()
        .map(id -> "vertex " + id + " has no override any more, and its own number is not known");
  }

  /** Those that go may be those that run the job, for which that is a failure. */
  private static Optional<String> fewerTaskManagers(Parallelism from, Parallelism to) {
    Integer now = from.taskManagers();
    Integer then = to.taskManagers();
    return now == null || then == null || then >= now
        ? Optional.empty()
        : Optional.of(
            "%d TaskManagers in place of %d: Kubernetes does not know which of them run the job"
                .formatted(then, now));
  }

  /**
   * A job that runs otherwise than the old spec says cannot be distinguished from one that says so.
   */
  private static @Nullable String nothingFollows(
      RescaleNote before, Parallelism from, Parallelism to) {
    Map<String, Noted> free = new TreeMap<>(before.vertices());
    free.keySet().removeAll(to.overrides().keySet());
    boolean changed = to.ofJob() > 0 && to.ofJob() != from.ofJob() && !free.isEmpty();
    return changed && free.values().stream().noneMatch(it -> follows(it, from))
        ? "no vertex of the job runs with the parallelism of the old spec, " + from.ofJob()
        : null;
  }

  private static int wanted(String id, Noted old, Parallelism from, Parallelism to) {
    Integer override = to.overrides().get(id);
    if (override != null) {
      return Math.max(1, override);
    }
    return follows(old, from) && to.ofJob() > 0 ? to.ofJob() : old.upper();
  }

  /** What cannot be parallel at all is so by the code of the job. */
  private static boolean follows(Noted old, Parallelism from) {
    return old.max() != 1 && old.upper() == from.ofJob();
  }
}
