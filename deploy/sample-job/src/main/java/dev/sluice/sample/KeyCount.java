package dev.sluice.sample;

/**
 * What is known about one key: how often it was counted, and how far that is from what the sequence
 * numbers seen imply. Of {@code keys} keys, key k gets the numbers k, k+keys, k+2*keys and so on,
 * in this order, because the source has one subtask; so number v is always element v/keys+1 of its
 * key.
 *
 * @param count elements counted, as the state says
 * @param lost elements that must have been counted before and are not in the state
 * @param doubled elements that were counted more than once
 */
record KeyCount(long count, long lost, long doubled) {

  /** A key that was never seen. */
  static final KeyCount NONE = new KeyCount(0, 0, 0);

  /**
   * Counts one more element. A gap or a repetition is added to {@code lost} or {@code doubled}
   * once, not again at each later element.
   *
   * @param sequence the element's number, from 0
   * @param keys number of keys the sequence is dealt to
   */
  KeyCount next(long sequence, long keys) {
    long implied = sequence / keys + 1;
    long counted = count + 1;
    long drift = implied - (counted + lost - doubled);
    return new KeyCount(counted, lost + Math.max(0, drift), doubled + Math.max(0, -drift));
  }

  static KeyCount of(long[] state) {
    return new KeyCount(state[0], state[1], state[2]);
  }

  /** As kept in Flink's state: a primitive array restores on every Flink version. */
  long[] toState() {
    return new long[] {count, lost, doubled};
  }
}
