package dev.sluice.activities.flink;

import dev.sluice.api.common.SecretNames;
import java.util.regex.Pattern;

/**
 * Takes credentials out of the words of Flink, and of containers, before they reach a log, a
 * history or a status: file systems like to quote the URI or the configuration they could not use.
 */
public final class Redaction {

  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]+@");
  private static final String NAME =
      "(?:" + SecretNames.WORDS + "|signature|authorization|sas[-_.]?key)[\\w.\\-]*";
  private static final String VALUE = "(\"[^\"]*\"|[^\\s,;&]+)";
  private static final Pattern NAMED_SECRET =
      Pattern.compile(
          "(?i)((?:[?&]sig|" + NAME + ")\"?\\s*[=:]\\s*(?:(?:bearer|basic)\\s+)?)" + VALUE);

  /** {@code --db-password x}, as the arguments of a program. */
  private static final Pattern FLAG =
      Pattern.compile("(?i)((?<![\\w-])--?[\\w.\\-]*" + NAME + "\\s+)(?!-)" + VALUE);

  private Redaction() {}

  public static String redact(String text) {
    String noUser = USER_INFO.matcher(text).replaceAll("***@");
    String noFlag = FLAG.matcher(noUser).replaceAll("$1***");
    return NAMED_SECRET.matcher(noFlag).replaceAll("$1***");
  }
}
