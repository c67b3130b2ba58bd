package dev.sluice.api.validation;

import dev.sluice.api.application.FlinkApplication;
import java.util.List;

/**
 * Every rule that a FlinkApplication must keep before anything is done for it: what Lyft's operator
 * finds out half-way or never, and what Flink would refuse. Its shape is checked by the definition.
 */
public final class ApplicationValidation {
  private static final List<ApplicationRule> RULES =
      List.of(new ApplicationFieldRules(), new ApplicationMemoryRules(), new ApplicationKeyRules());

  private static final List<ApplicationRule> EFFECTS =
      List.of(new ApplicationUnusedFields(), new ApplicationUnusedKeys());

  private ApplicationValidation() {}

  /** Checks that belong together. Pure; reports everything that it finds. */
  @FunctionalInterface
  interface ApplicationRule {
    void check(FlinkApplication resource, Report report);
  }

  /**
   * All violations, not only the first; empty when the spec may be deployed. Pure, and of the spec
   * and the name alone.
   */
  public static List<Violation> validate(FlinkApplication resource) {
    return apply(RULES, resource).violations();
  }

  /**
   * Settings that are accepted but have no effect, or another one than they seem to, each with its
   * path; empty when there are none. Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkApplication resource) {
    return apply(EFFECTS, resource).warnings();
  }

  private static Report apply(List<ApplicationRule> rules, FlinkApplication resource) {
    Report report = new Report();
    rules.forEach(rule -> rule.check(resource, report));
    return report;
  }

  /** Path of a key of the Flink configuration, as people write it. */
  static String keyPath(String key) {
    return "spec.flinkConfig." + key;
  }
}
