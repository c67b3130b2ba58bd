package dev.sluice.local.node.probe;

import io.fabric8.kubernetes.api.model.Probe;
import org.jspecify.annotations.Nullable;

/**
 * The results of one probe in a row, and what they amount to.
 *
 * @param inARow how many of the newest results agree
 * @param last the newest result; null before the first
 * @param verdict what holds until enough results say otherwise; null before the first verdict
 */
public record ProbeTally(int inARow, @Nullable Boolean last, @Nullable Boolean verdict) {

  public static final ProbeTally NONE = new ProbeTally(0, null, null);

  /** With one more result, under the probe's thresholds, which the API server has filled in. */
  public ProbeTally with(boolean success, Probe probe) {
    int count = last != null && last == success ? inARow + 1 : 1;
    int needed = success ? probe.getSuccessThreshold() : probe.getFailureThreshold();
    return new ProbeTally(count, success, count >= needed ? Boolean.valueOf(success) : verdict);
  }

  public boolean succeeds() {
    return Boolean.TRUE.equals(verdict);
  }

  public boolean fails() {
    return Boolean.FALSE.equals(verdict);
  }
}
