package dev.sluice.local.flink;

import java.util.Optional;

/**
 * What the sample job says it counted: sums over its subtasks. While the job runs, the subtasks are
 * read a moment apart, so {@code total} and {@code lastSequence} of one reading need not match to
 * the element; {@code lost} and {@code doubled} are exact always, because each element is checked
 * when it is counted.
 *
 * @param total elements counted since the job's very first start
 * @param restored elements already counted in the state the running attempt started from; 0 without
 *     state
 * @param lost elements that were counted once and are missing in the state
 * @param doubled elements that were counted twice
 * @param keys keys that have a count
 * @param lastSequence highest sequence number counted, from 0; -1 before the first element
 */
public record Counts(
    long total, long restored, long lost, long doubled, long keys, long lastSequence) {

  /** Whether each element so far was counted exactly once. */
  public boolean exact() {
    return lost == 0 && doubled == 0;
  }

  /**
   * What is wrong, when these were read from a job that goes on with the state of another.
   *
   * @param before read while the old job ran
   */
  public Optional<String> problemSince(Counts before) {
    if (!exact()) {
      return Optional.of("%d elements lost, %d counted twice".formatted(lost, doubled));
    }
    return restored >= before.total
        ? Optional.empty()
        : Optional.of(
            "the new job started from a state of %d elements, and the old one had counted %d"
                .formatted(restored, before.total));
  }

  /** In one line. */
  public String line() {
    return "%,d elements counted over %d keys, lost=%d doubled=%d"
        .formatted(total, keys, lost, doubled);
  }
}
