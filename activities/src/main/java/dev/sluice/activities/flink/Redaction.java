package dev.sluice.activities.flink;

import java.util.regex.Pattern;

/**
 * Takes credentials out of the words of Flink, and of containers, before they reach a log, a
 * history or a status: file systems like to quote the URI or the configuration they could not use.
 */
public final class Redaction {

  private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]+@");
  private static final Pattern NAMED_SECRET =
      Pattern.compile(
          "(?i)((?:pass(?:word|wd)?|secret|token|credential|signature|(?:access|api|account|private|sas)[-_.]?key)"
              + "[\\w.\\-]*\"?\\s*[=:]\\s*)(\"[^\"]*\"|[^\\s,;&]+)");

  private Redaction() {}

  public static String redact(String text) {
    String noUser = USER_INFO.matcher(text).replaceAll("***@");
    return NAMED_SECRET.matcher(noUser).replaceAll("$1***");
  }
}
