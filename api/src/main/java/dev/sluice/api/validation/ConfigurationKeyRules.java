package dev.sluice.api.validation;

/** Keys that Flink could not read back from its configuration file. */
final class ConfigurationKeyRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    for (String key : subject.spec().configuration().asMap().keySet()) {
      if (key.isEmpty() || key.codePoints().anyMatch(ConfigurationKeyRules::isBlankOrControl)) {
        report.add(
            Subject.keyPath(key),
            "must be a key without blanks and line breaks, but is " + Printable.quoted(key));
      }
    }
  }

  private static boolean isBlankOrControl(int codePoint) {
    return Character.isWhitespace(codePoint)
        || Character.isSpaceChar(codePoint)
        || Character.isISOControl(codePoint);
  }
}
