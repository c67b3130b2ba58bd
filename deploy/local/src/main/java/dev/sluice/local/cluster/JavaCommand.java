package dev.sluice.local.cluster;

import dev.sluice.local.node.process.SmallJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the cluster's own Java programs are started. */
final class JavaCommand {

  private JavaCommand() {}

  /** The Java that runs this. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * It, with flags for little memory and a quick start.
   *
   * @param heapMegabytes the most the heap may take
   */
  static List<String> small(int heapMegabytes) {
    List<String> command = new ArrayList<>(List.of(java()));
    command.addAll(SmallJvm.flags(heapMegabytes));
    return command;
  }
}
