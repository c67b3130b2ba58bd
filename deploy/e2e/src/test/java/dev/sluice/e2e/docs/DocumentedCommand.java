package dev.sluice.e2e.docs;

/**
 * A command that a page tells people to type.
 *
 * @param page its path in the repository
 * @param text in one line, without the comment behind it
 */
record DocumentedCommand(String page, String text) {

  String program() {
    return text.split(" ", 2)[0];
  }

  @Override
  public String toString() {
    return page + ": " + text;
  }
}
