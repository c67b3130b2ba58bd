package dev.sluice.api.common;

import java.util.regex.Pattern;

/**
 * The syntax of an image name, {@code [host[:port]/]path[:tag][@digest]}, by the grammar of the
 * distribution project, which container runtimes parse with.
 */
public final class ImageReference {
  private static final int LONGEST_NAME = 255;
  private static final String HOST_LABEL = "[a-zA-Z0-9]++(?:-++[a-zA-Z0-9]++)*+";
  private static final Pattern HOST =
      Pattern.compile(
          "(?:" + HOST_LABEL + "(?:\\." + HOST_LABEL + ")*+|\\[[0-9a-fA-F:]++])(?::[0-9]{1,5})?");
  private static final Pattern COMPONENT =
      Pattern.compile("[a-z0-9]++(?:(?:[._]|__|-++)[a-z0-9]++)*+");
  private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");
  private static final Pattern DIGEST =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*+(?:[-_+.][A-Za-z][A-Za-z0-9]*+)*+:[0-9a-fA-F]{32,}");

  private ImageReference() {}

  /** Whether a container runtime can parse {@code text}. */
  public static boolean isValid(String text) {
    int at = text.indexOf('@');
    if (at >= 0 && !DIGEST.matcher(text.substring(at + 1)).matches()) {
      return false;
    }
    String named = at < 0 ? text : text.substring(0, at);
    int colon = named.indexOf(':', named.lastIndexOf('/') + 1);
    if (colon >= 0 && !TAG.matcher(named.substring(colon + 1)).matches()) {
      return false;
    }
    return isName(colon < 0 ? named : named.substring(0, colon));
  }

  private static boolean isName(String name) {
    if (name.length() > LONGEST_NAME) {
      return false;
    }
    int slash = name.indexOf('/');
    String first = slash < 0 ? "" : name.substring(0, slash);
    boolean host =
        first.contains(".")
            || first.contains(":")
            || first.equals("localhost")
            || !first.equals(first.toLowerCase(java.util.Locale.ROOT));
    if (host && !HOST.matcher(first).matches()) {
      return false;
    }
    String path = host ? name.substring(slash + 1) : name;
    for (String component : path.split("/", -1)) {
      if (!COMPONENT.matcher(component).matches()) {
        return false;
      }
    }
    return true;
  }
}
