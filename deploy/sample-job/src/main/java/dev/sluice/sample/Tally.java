package dev.sluice.sample;

/**
 * The sum over the keys of one subtask. Each subtask snapshots its tally as one element of an
 * operator list state; however Flink deals the elements out after a rescale, the sum over all
 * subtasks is the exact sum over all keys, and it is known before the first element arrives.
 *
 * @param total elements counted
 * @param lost elements found to be missing
 * @param doubled elements found to be counted more than once
 * @param keys keys that have a count
 * @param lastSequence highest sequence number counted, -1 when there is none
 * @param dealtTo number of keys the job deals the sequence to ({@code --keys})
 */
record Tally(long total, long lost, long doubled, long keys, long lastSequence, long dealtTo) {

  static Tally empty(long dealtTo) {
    return new Tally(0, 0, 0, 0, -1, dealtTo);
  }

  /** One element more: its key had the count {@code before} and now has {@code after}. */
  Tally counted(KeyCount before, KeyCount after, long sequence) {
    return new Tally(
        total + after.count() - before.count(),
        lost + after.lost() - before.lost(),
        doubled + after.doubled() - before.doubled(),
        keys + (before.count() == 0 ? 1 : 0),
        Math.max(lastSequence, sequence),
        dealtTo);
  }

  /**
   * Adds another subtask's tally.
   *
   * @throws IllegalStateException when that one was made with another number of keys: counts per
   *     key could then not be compared with the sequence
   */
  Tally plus(Tally other) {
    if (other.dealtTo != dealtTo) {
      throw new IllegalStateException(
          "The state was made with --keys "
              + other.dealtTo
              + " and the job now has --keys "
              + dealtTo
              + ": the counts of the keys would mean nothing. Use the old value, or start without state.");
    }
    return new Tally(
        total + other.total,
        lost + other.lost,
        doubled + other.doubled,
        keys + other.keys,
        Math.max(lastSequence, other.lastSequence),
        dealtTo);
  }

  static Tally of(long[] state) {
    return new Tally(state[0], state[1], state[2], state[3], state[4], state[5]);
  }

  /** As kept in Flink's state: a primitive array restores on every Flink version. */
  long[] toState() {
    return new long[] {total, lost, doubled, keys, lastSequence, dealtTo};
  }
}
