package dev.sluice.activities.job;

import dev.sluice.api.common.StableAfter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a job has come on its way to being stable.
 *
 * @param wanted what is asked for
 * @param quiet for how long no task was started again
 * @param completed number of completed checkpoints
 */
record StabilityProgress(StableAfter wanted, Duration quiet, long completed) {

  /** A text that changes more often is written into the status more often. */
  private static final int PARTS = 10;

  boolean isReached() {
    return quiet.toMillis() >= wanted.quietMs() && completed >= wanted.checkpoints();
  }

  /** As text: {@code 1 of 3 checkpoints, 36 s of 2 min without a restart}. */
  String missing() {
    List<String> parts = new ArrayList<>();
    if (wanted.checkpoints() > 0) {
      parts.add(
          "%d of %d checkpoints"
              .formatted(Math.min(completed, wanted.checkpoints()), wanted.checkpoints()));
    }
    if (wanted.quietMs() > 0) {
      parts.add("%s of %s without a restart".formatted(text(rounded()), text(wanted.quietMs())));
    }
    return String.join(", ", parts);
  }

  /** As text: {@code 3 checkpoints, 2 min without a restart}. */
  String reached() {
    List<String> parts = new ArrayList<>();
    if (wanted.checkpoints() > 0) {
      parts.add(completed + " checkpoints");
    }
    if (wanted.quietMs() > 0) {
      parts.add(text(wanted.quietMs()) + " without a restart");
    }
    return parts.isEmpty() ? "every task is up" : String.join(", ", parts);
  }

  /** Down to a tenth of what is asked for. */
  private long rounded() {
    long part = Math.max(1, wanted.quietMs() / PARTS);
    return Math.min(quiet.toMillis() / part * part, wanted.quietMs());
  }

  /** {@code 1 h 30 min}, {@code 2 min}, {@code 90 s}. */
  private static String text(long ms) {
    Duration duration = Duration.ofMillis(ms);
    long minutes = duration.toMinutes();
    if (minutes >= 60) {
      long rest = minutes % 60;
      return minutes / 60 + " h" + (rest == 0 ? "" : " " + rest + " min");
    }
    return minutes > 0 && duration.toSecondsPart() == 0
        ? minutes + " min"
        : duration.toSeconds() + " s";
  }
}
