package dev.sluice.api.validation;

import java.util.Set;

/** Flink reads these two files and no other. */
final class LogRules implements Rule {
  private static final Set<String> FILES =
      Set.of("log4j-console.properties", "logback-console.xml");

  @Override
  public void check(Subject subject, Report report) {
    for (String file : subject.spec().logConfiguration().keySet()) {
      if (!FILES.contains(file)) {
        report.add(
            "spec.logConfiguration." + file,
            "must be log4j-console.properties or logback-console.xml. Rename or remove it");
      }
    }
  }
}
