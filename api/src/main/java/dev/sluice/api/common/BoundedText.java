package dev.sluice.api.common;

import java.nio.charset.StandardCharsets;

/** Text that is cut to the length that the API server, or Temporal, accepts. */
public final class BoundedText {

  private static final String DOTS = "...";

  private BoundedText() {}

  /**
   * The text, cut where it is longer; never in the middle of a character.
   *
   * @param longest in UTF-16 code units, more than 3
   */
  public static String of(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - DOTS.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end)
        + DOTS;
  }

  /**
   * The text, cut where it needs more bytes in UTF-8; never in the middle of a character.
   *
   * @param most more than 3
   */
  public static String ofBytes(String text, int most) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= most) {
      return text;
    }
    int left = most - DOTS.length();
    int end = 0;
    while (end < text.length()) {
      int next = end + Character.charCount(text.codePointAt(end));
      left -= text.substring(end, next).getBytes(StandardCharsets.UTF_8).length;
      if (left < 0) {
        break;
      }
      end = next;
    }
    return text.substring(0, end) + DOTS;
  }
}
