package dev.sluice.controller.admission;

import dev.sluice.api.validation.Violation;
import java.util.ArrayList;
import java.util.List;

/**
 * What the rules of a kind say of a spec.
 *
 * @param violations why it is not valid; empty when it is
 * @param warnings what of it has no effect, each with its path
 */
public record Verdict(List<Violation> violations, List<String> warnings) {

  private static final String STATUS = "status.";

  /** A violation that no change of the spec can remove is a warning. */
  public Verdict {
    List<String> all = new ArrayList<>(warnings);
    violations.stream().filter(Verdict::isOfStatus).map(Violation::toString).forEach(all::add);
    warnings = List.copyOf(all);
    violations = violations.stream().filter(it -> !isOfStatus(it)).toList();
  }

  private static boolean isOfStatus(Violation violation) {
    return violation.path().startsWith(STATUS);
  }
}
