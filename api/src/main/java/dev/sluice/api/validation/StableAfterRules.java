package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.StableAfter;
import java.util.function.Consumer;

/** What the annotations say about when a job counts as stable. */
final class StableAfterRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    check(subject, report, Annotations.STABLE_AFTER, StableAfter::parseQuietMs);
    check(subject, report, Annotations.STABLE_AFTER_CHECKPOINTS, StableAfter::parseCheckpoints);
  }

  private static void check(Subject subject, Report report, String name, Consumer<String> parse) {
    String text = subject.annotations().get(name);
    if (text == null || text.isBlank()) {
      return;
    }
    try {
      parse.accept(text);
    } catch (IllegalArgumentException wrong) {
      report.add(
          "metadata.annotations." + name,
          wrong.getMessage() + ", but is " + Printable.quoted(text));
    }
  }
}
