package dev.sluice.api.validation;

/** User-written text, made fit for a one-line message. */
final class Printable {
  private static final int LONGEST_VALUE = 100;
  private static final char UNPRINTABLE = '\uFFFD';

  private Printable() {}

  /** In single quotes, at most 100 characters of it. */
  static String quoted(Object value) {
    return "'" + shortened(String.valueOf(value), LONGEST_VALUE) + "'";
  }

  /** Without control characters and halves of characters, at most {@code longest} characters. */
  static String shortened(String text, int longest) {
    int end = Math.min(text.length(), longest);
    StringBuilder line = new StringBuilder(end);
    text.substring(0, end).codePoints().map(Printable::printable).forEach(line::appendCodePoint);
    return end < text.length() ? line.append("...").toString() : line.toString();
  }

  private static int printable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.PRIVATE_USE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          UNPRINTABLE;
      default -> codePoint;
    };
  }
}
