package dev.sluice.api.common;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URI of a jar, without what may be a secret in it. */
public final class RedactedUri {
  private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://");

  private RedactedUri() {}

  /**
   * Without credentials and query. Also of a text that is no valid URI: a password that was not
   * encoded may hold any character, so all before the last {@code @} counts as credentials.
   */
  public static String of(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    String scheme = matcher.find() ? matcher.group() : "";
    int at = uri.lastIndexOf('@');
    int query = uri.indexOf('?');
    if (query >= 0 && at > query) {
      return scheme + SecretNames.MASK;
    }
    String shown = query < 0 ? uri : uri.substring(0, query + 1) + SecretNames.MASK;
    return at < 0 ? shown : scheme + SecretNames.MASK + shown.substring(at);
  }
}
