package dev.sluice.controller.common;

/** Text that is cut to the length that the API server accepts. */
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
}
