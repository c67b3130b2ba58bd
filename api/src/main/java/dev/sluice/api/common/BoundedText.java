package dev.sluice.api.common;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
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
    CharBuffer rest = CharBuffer.wrap(text);
    StandardCharsets.UTF_8
        .newEncoder()
        .encode(rest, ByteBuffer.allocate(most - DOTS.length()), false);
    return text.substring(0, rest.position()) + DOTS;
  }
}
