package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.StableAfter;

/** What the annotations say about when a job counts as stable. */
final class StableAfterRules implements Rule {
  private static final String PATH = "metadata.annotations.";
  private static final String CHECKPOINTS = "sluice.dev/stable-after-checkpoints";

  @Override
  public void check(Subject subject, Report report) {
    String time = subject.annotations().get(Annotations.STABLE_AFTER);
    try {
      long unused = time == null || time.isBlank() ? 0 : StableAfter.parseQuietMs(time);
    } catch (IllegalArgumentException wrong) {
      report.add(
          PATH + Annotations.STABLE_AFTER,
          wrong.getMessage() + ", but is " + Printable.quoted(time));
    }
    String checkpoints = subject.annotations().get(CHECKPOINTS);
    if (checkpoints != null && !checkpoints.isBlank()) {
      report.add(
          PATH + CHECKPOINTS,
          "is not supported, checkpoints are not counted: remove it and set %s to a time such as"
                  .formatted(Annotations.STABLE_AFTER)
              + " '2 min', for which every task must run without a restart");
    }
  }
}
