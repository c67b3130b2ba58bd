package dev.sluice.gates;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source file.
 *
 * @param path relative to the repository
 * @param text the content
 * @param code the content with spaces in place of comments and literals, and as long as the text
 */
record JavaSource(String path, String text, String code) {

  private static final Pattern NOT_CODE =
      Pattern.compile(
          "//[^\n]*"
              + "|/\\*(?s:.*?)\\*/"
              + "|\"\"\"(?s:.*?)(?<!\\\\)\"\"\""
              + "|\"(?:\\\\.|[^\"\\\\\n])*\""
              + "|'(?:\\\\.|[^'\\\\\n])*'");
  private static final Pattern TAG = Pattern.compile("@(?:org\\.junit\\.jupiter\\.api\\.)?Tag\\(");
  private static final Pattern TAG_NAME =
      Pattern.compile("\\s*(?:value\\s*=\\s*)?\"([^\"]*)\"\\s*\\)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  JavaSource(String path, String text) {
    this(path, text, blank(text));
  }

  private static String blank(String text) {
    StringBuilder code = new StringBuilder(text);
    for (Matcher found = NOT_CODE.matcher(text); found.find(); ) {
      for (int at = found.start(); at < found.end(); at++) {
        if (text.charAt(at) != '\n') {
          code.setCharAt(at, ' ');
        }
      }
    }
    return code.toString();
  }

  /** The qualified name of the class that the file is named after. */
  String className() {
    String file = path.substring(path.lastIndexOf('/') + 1).replace(".java", "");
    Matcher found = PACKAGE.matcher(code);
    return found.find() ? found.group(1) + "." + file : file;
  }

  /** JUnit's tags in the order of the file. */
  List<Tag> tags() {
    List<Tag> tags = new ArrayList<>();
    for (Matcher tag = TAG.matcher(code); tag.find(); ) {
      Matcher name = TAG_NAME.matcher(text).region(tag.end(), text.length());
      if (name.lookingAt()) {
        tags.add(new Tag(name.group(1), tag.start(), name.end()));
      }
    }
    return tags;
  }

  record Tag(String name, int start, int end) {}

  /** Path and line number. */
  String place(int offset) {
    return path + ":" + (1 + text.substring(0, offset).chars().filter(c -> c == '\n').count());
  }
}
