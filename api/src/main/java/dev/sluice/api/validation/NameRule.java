package dev.sluice.api.validation;

import java.util.regex.Pattern;

/** Flink derives names and labels of at most 63 characters from it by adding up to 18. */
final class NameRule implements Rule {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z\\d]{0,43}[a-z\\d])?");

  static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }

  @Override
  public void check(Subject subject, Report report) {
    if (!isValid(subject.name())) {
      report.add(
          "metadata.name",
          "must be at most 45 characters: lower-case letters, digits and '-', beginning with a"
              + " letter and not ending with '-', but is "
              + Printable.quoted(subject.name())
              + ". Create the resource under another name");
    }
  }
}
