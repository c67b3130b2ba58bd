package dev.sluice.api.validation;

import dev.sluice.api.common.KubernetesNames;

/** Names of Kubernetes objects that a spec mentions, checked as the API server checks them. */
final class NameRules {
  private static final String SUBDOMAIN =
      ": lower-case letters, digits, '-' and '.', at most 253 characters, but is ";
  private static final String LABEL =
      ": lower-case letters, digits and '-', at most 63 characters, but is ";

  private NameRules() {}

  static void serviceAccount(String path, String name, Report report) {
    subdomain(path, name, "service account", report);
  }

  static void secret(String path, String name, Report report) {
    subdomain(path, name, "Secret", report);
  }

  /**
   * A name of an object that may have dots.
   *
   * @param what kind of object, for the message
   */
  static void subdomain(String path, String name, String what, Report report) {
    if (!KubernetesNames.isDnsSubdomain(name)) {
      report.add(path, "must be the name of a " + what + SUBDOMAIN + Printable.quoted(name));
    }
  }

  /**
   * A name inside a pod, without dots.
   *
   * @param what kind of thing, for the message
   */
  static void label(String path, String name, String what, Report report) {
    if (!KubernetesNames.isDnsLabel(name)) {
      report.add(path, "must be the name of a " + what + LABEL + Printable.quoted(name));
    }
  }

  static void environmentVariable(String path, String name, Report report) {
    if (!KubernetesNames.isEnvironmentVariable(name)) {
      report.add(
          path,
          "must be the name of an environment variable: letters, digits, '_', '-' and '.', not"
              + " beginning with a digit, but is "
              + Printable.quoted(name));
    }
  }

  /** A key of a label or annotation. */
  static void key(String path, String key, Report report) {
    if (!KubernetesNames.isQualifiedName(key)) {
      report.add(
          path,
          "must have keys like 'team' or 'example.com/team', with at most 63 letters, digits, '-',"
              + " '_' and '.' after the '/', but has "
              + Printable.quoted(key));
    }
  }

  /** A label with its value. */
  static void labelEntry(String path, String key, String value, Report report) {
    key(path, key, report);
    if (!KubernetesNames.isLabelValue(value)) {
      report.add(
          path,
          "must have values of at most 63 letters, digits, '-', '_' and '.', beginning and ending"
              + " with a letter or digit, but "
              + Printable.quoted(key)
              + " has "
              + Printable.quoted(value));
    }
  }
}
