package dev.sluice.api.common;

import java.util.regex.Pattern;

/** What the API server accepts as names and values of labels. */
public final class KubernetesNames {
  private static final String LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
  private static final Pattern DNS_SUBDOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-\\w.]*[A-Za-z0-9])?");
  private static final int LONGEST_LABEL = 63;
  private static final int LONGEST_SUBDOMAIN = 253;

  private KubernetesNames() {}

  /** DNS labels joined by dots, at most 253 characters: service accounts, Secrets, hosts. */
  public static boolean isDnsSubdomain(String text) {
    return text.length() <= LONGEST_SUBDOMAIN && DNS_SUBDOMAIN.matcher(text).matches();
  }

  /** A value of a label: empty, or at most 63 letters, digits and inner {@code - _ .}. */
  public static boolean isLabelValue(String text) {
    return text.isEmpty() || (text.length() <= LONGEST_LABEL && NAME.matcher(text).matches());
  }
}
