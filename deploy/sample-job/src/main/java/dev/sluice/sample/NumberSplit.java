package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A share of the numbers from 0, in ascending order: those of every key k with {@code k % of ==
 * index}, where number n is of key {@code n % keys}. All numbers of a key are in one split, so they
 * stay in order whichever subtask reads the split.
 *
 * @param index which share, from 0
 * @param of number of shares
 * @param keys number of keys
 * @param next its next number
 * @param left elements until it ends
 */
record NumberSplit(int index, int of, long keys, long next, long left)
    implements SourceSplit, Serializable {

  @Serial private static final long serialVersionUID = 1L;

  /** More elements than are ever read. */
  static final long ENDLESS = Long.MAX_VALUE;

  /** All numbers below {@code elements}. */
  static NumberSplit below(long elements) {
    return new NumberSplit(0, 1, 1, 0, elements);
  }

  /**
   * Deals all numbers out.
   *
   * @param of number of splits, at most {@code keys}
   * @param lastEndsAfter elements of the last split
   */
  static List<NumberSplit> shares(int of, long keys, long lastEndsAfter) {
    return IntStream.range(0, of)
        .mapToObj(i -> new NumberSplit(i, of, keys, i, i == of - 1 ? lastEndsAfter : ENDLESS))
        .toList();
  }

  boolean ended() {
    return left == 0;
  }

  /** The split behind its next number. */
  NumberSplit advanced() {
    long number = next + 1;
    while (number % keys % of != index) {
      number++;
    }
    return new NumberSplit(index, of, keys, number, left - 1);
  }

  @Override
  public String splitId() {
    return index + " of " + of;
  }
}
