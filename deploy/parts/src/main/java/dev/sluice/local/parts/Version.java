package dev.sluice.local.parts;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A released version, as binaries print it. Pre-releases and vendor builds ({@code 1.34.2-rc.0},
 * {@code 1.32.4-dispatcher}) are no released version and never fit.
 *
 * @param suffix what follows the patch number, with its dash; empty for a release
 */
public record Version(int major, int minor, int patch, String suffix) {

  private static final Pattern IN_TEXT =
      Pattern.compile("(?<![\\d.])v?(\\d+)\\.(\\d+)\\.(\\d+)((?:-[0-9A-Za-z.-]+)?)");

  /** The version {@code text} starts with, such as {@code 1.34.2} or {@code v1.34.2}. */
  public static Version parse(String text) {
    return findIn(text)
        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a version"));
  }

  /** The first version in what a binary printed; empty when there is none. */
  public static Optional<Version> findIn(String output) {
    Matcher matcher = IN_TEXT.matcher(output);
    return matcher.find()
        ? Optional.of(
            new Version(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                matcher.group(4)))
        : Optional.empty();
  }

  /** Whether this one can stand in for {@code pinned}: same minor, not older, a plain release. */
  public boolean fits(Version pinned) {
    return suffix.isEmpty()
        && major == pinned.major
        && minor == pinned.minor
        && patch >= pinned.patch;
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch + suffix;
  }
}
