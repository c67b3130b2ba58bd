package dev.sluice.local.flink;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an image name of the official Flink images says: {@code flink:2.2}, {@code
 * flink:2.2.1-java17}, {@code docker.io/library/flink:1.20-scala_2.12-java11}. Java 11 images run
 * on this machine's Java 17; Java 21 images do not.
 */
public final class FlinkImageName {

  private static final Pattern NAME =
      Pattern.compile(
          "(?:docker\\.io/)?(?:library/|apache/)?flink:(\\d+\\.\\d+(?:\\.\\d+)?)"
              + "(?:-scala_2\\.12)?(?:-java(?:11|17))?");

  private FlinkImageName() {}

  /**
   * The release an image name stands for; empty when the name is not one of the official images, or
   * is one of a version that is not known here.
   */
  public static Optional<FlinkRelease> release(String image) {
    Matcher name = NAME.matcher(image);
    if (!name.matches()) {
      return Optional.empty();
    }
    String version = name.group(1);
    return FlinkRelease.KNOWN.stream()
        .filter(known -> known.version().equals(version) || known.minor().equals(version))
        .findFirst();
  }

  /**
   * The names that mean something, for messages: {@code flink:2.2}, {@code flink:2.2.1} and so on.
   */
  public static List<String> known() {
    return FlinkRelease.KNOWN.stream()
        .flatMap(release -> List.of(release.minor(), release.version()).stream())
        .map("flink:%s"::formatted)
        .toList();
  }
}
