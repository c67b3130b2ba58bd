package dev.sluice.local.cluster;

import java.nio.file.Path;
import java.util.List;

/** How the cluster's own Java programs are started. */
final class JavaCommand {

  private JavaCommand() {}

  /**
   * The Java that runs this, with flags for little memory and a quick start.
   *
   * @param heapMegabytes the most the heap may take
   */
  static List<String> small(int heapMegabytes) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx" + heapMegabytes + "m",
        // the default would take and touch a third of the maximum for the young generation at once
        "-Xms16m",
        "-Xmn8m",
        "-Xss512k",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:ReservedCodeCacheSize=32m",
        "-XX:-UsePerfData");
  }
}
