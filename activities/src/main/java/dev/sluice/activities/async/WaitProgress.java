package dev.sluice.activities.async;

/** What was seen so far, in words, and for how many looks it has been the same. */
final class WaitProgress {

  private static final int LONGEST = 400;

  private String seen = "nothing seen yet";
  private String doubt = "";
  private int unknown;
  private int unchanged;

  /** A look that told something; whether it is news. */
  boolean saw(String text) {
    boolean news = !text.equals(seen) || unknown > 0;
    unchanged = text.equals(seen) ? unchanged + 1 : 0;
    seen = text;
    unknown = 0;
    return news;
  }

  /** A look that could not tell; whether it is the first in a row. */
  boolean lost(String why) {
    doubt = why;
    unknown++;
    unchanged++;
    return unknown == 1;
  }

  int unchanged() {
    return unchanged;
  }

  /** {@code 5 of 8 tasks running; no answer 3 times since: orders: got no answer: timeout}. */
  String text() {
    if (unknown == 0) {
      return bounded(seen);
    }
    String times = unknown == 1 ? "once" : unknown + " times";
    return bounded(seen) + "; no answer " + times + " since: " + bounded(doubt);
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 3) + "...";
  }
}
