package dev.sluice.sample;

import java.io.Serial;
import java.io.Serializable;

/**
 * What the job reads.
 *
 * @param splits splits of the counted source, read by as many subtasks as the job has; 0: the
 *     counted source is one endless sequence, read by one subtask
 * @param boundedSplit elements after which the last split ends; negative: it is endless
 * @param boundedSource elements of a second source beside the counted one; negative: there is none
 */
record SourceOptions(int splits, long boundedSplit, long boundedSource) implements Serializable {

  @Serial private static final long serialVersionUID = 1L;

  /** One endless sequence. */
  static final SourceOptions ENDLESS = new SourceOptions(0, -1, -1);

  static SourceOptions parse(Flags flags) {
    return new SourceOptions(
        (int) flags.number("splits", 0, 0, 1000),
        flags.number("bounded-split", -1, -1, Long.MAX_VALUE),
        flags.number("bounded-source", -1, -1, Long.MAX_VALUE));
  }
}
