package dev.sluice.local.flink;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Flink version that can be had from Maven Central. Not every patch level of flink-container and
 * flink-kubernetes was published; another patch level of the same minor works.
 *
 * @param version Flink's version, such as {@code 2.2.1}
 * @param containerVersion version of flink-container: the entry point of standalone application
 *     mode
 * @param kubernetesVersion version of flink-kubernetes: native mode and Kubernetes HA
 */
public record FlinkRelease(String version, String containerVersion, String kubernetesVersion) {

  /** The newest patch level of each minor that was seen to run, oldest first. */
  public static final List<FlinkRelease> KNOWN =
      List.of(
          new FlinkRelease("1.20.5", "1.20.0", "1.20.1"),
          new FlinkRelease("2.0.2", "2.0.0", "2.0.0"),
          new FlinkRelease("2.1.3", "2.1.0", "2.1.0"),
          new FlinkRelease("2.2.1", "2.1.0", "2.2.0"),
          new FlinkRelease("2.3.0", "2.3.0", "2.3.0"));

  private static final Pattern IMAGE =
      Pattern.compile(
          "(?:docker\\.io/)?(?:library/|apache/)?flink:(\\d+\\.\\d+(?:\\.\\d+)?)"
              + "(?:-scala_2\\.12)?(?:-java(?:11|17))?");

  public String minor() {
    return version.substring(0, version.lastIndexOf('.'));
  }

  /**
   * The release that an image name stands for; empty when it is no official image, or of a version
   * that is not known here. Java 11 images run on this machine's Java 17; Java 21 images do not.
   */
  public static Optional<FlinkRelease> ofImage(String image) {
    Matcher name = IMAGE.matcher(image);
    return name.matches()
        ? KNOWN.stream()
            .filter(it -> Set.of(it.version(), it.minor()).contains(name.group(1)))
            .findFirst()
        : Optional.empty();
  }

  /** The image names that mean something: {@code flink:2.2}, {@code flink:2.2.1} and so on. */
  public static List<String> images() {
    return KNOWN.stream()
        .flatMap(it -> Stream.of("flink:" + it.minor(), "flink:" + it.version()))
        .toList();
  }
}
