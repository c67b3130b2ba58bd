package dev.sluice.api.common;

import java.util.regex.Pattern;

/** What the API server accepts as names, labels and environment variables. */
public final class KubernetesNames {
  private static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
  private static final Pattern DNS_LABEL = Pattern.compile(LABEL);
  private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?");
  private static final Pattern VARIABLE = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST_SUBDOMAIN = 253;

  private KubernetesNames() {}

  /** Lower-case letters, digits and inner {@code -}, at most 63: containers, volumes. */
  public static boolean isDnsLabel(String text) {
    return text.length() <= LONGEST_LABEL && DNS_LABEL.matcher(text).matches();
  }

  /** DNS labels joined by dots, at most 253 characters: service accounts, Secrets, hosts. */
  public static boolean isDnsSubdomain(String text) {
    return text.length() <= LONGEST_SUBDOMAIN && DNS_SUBDOMAIN.matcher(text).matches();
  }

  /** A key of a label, annotation or node selector: {@code name} or {@code prefix/name}. */
  public static boolean isQualifiedName(String text) {
    int slash = text.indexOf('/');
    return (slash < 0 || isDnsSubdomain(text.substring(0, slash)))
        && isName(text.substring(slash + 1));
  }

  /** A value of a label: empty, or at most 63 letters, digits and inner {@code - _ .}. */
  public static boolean isLabelValue(String text) {
    return text.isEmpty() || isName(text);
  }

  /** The name of an environment variable, by the rule that every Kubernetes release accepts. */
  public static boolean isEnvironmentVariable(String text) {
    return VARIABLE.matcher(text).matches() && !text.equals(".") && !text.startsWith("..");
  }

  private static boolean isName(String text) {
    return text.length() <= LONGEST_LABEL && NAME.matcher(text).matches();
  }
}
