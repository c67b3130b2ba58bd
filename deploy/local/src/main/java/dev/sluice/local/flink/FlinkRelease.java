package dev.sluice.local.flink;

import java.util.List;

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

  /** Major and minor version, such as {@code 2.2}. */
  public String minor() {
    return version.substring(0, version.lastIndexOf('.'));
  }
}
