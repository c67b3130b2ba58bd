package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.Operator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The state of a cluster, as text. */
final class StatusReport {

  private StatusReport() {}

  /**
   * One line for each part and each pod, and what they hold together.
   *
   * @param pods their memory in MB, by name
   */
  static String table(List<LocalCluster.PartStatus> parts, SortedMap<String, Long> pods) {
    StringBuilder table = new StringBuilder(line("PART", "STATE", "PID", "RSS"));
    long total = 0;
    for (LocalCluster.PartStatus part : parts) {
      String pid = part.pid() == 0 ? "-" : Long.toString(part.pid());
      String memory = part.pid() == 0 ? "-" : part.residentMegabytes() + "M";
      table.append(line(part.name().toString(), part.state(), pid, memory));
      total += part.residentMegabytes();
    }
    for (Map.Entry<String, Long> pod : pods.entrySet()) {
      table.append(line("pod " + pod.getKey(), "running", "", pod.getValue() + "M"));
      total += pod.getValue();
    }
    return table.append(line("all together", "", "", total + "M")).toString();
  }

  private static String line(String part, String state, String pid, String memory) {
    return "%-40s %-10s %8s %8s%n".formatted(part, state, pid, memory);
  }

  /** Addresses and files. */
  static String whereThingsAre(LocalCluster cluster) {
    ClusterConfig config = cluster.config();
    StringBuilder programs = new StringBuilder();
    for (Operator.Program program : cluster.programs()) {
      String health = program.problem().map(why -> "not ready: " + why).orElse("ready");
      programs.append("%-13s %s  %s%n".formatted(program.component(), program.healthUrl(), health));
    }
    return """

    Temporal UI   %s
    Temporal      %s
    kubeconfig    %s
    logs          %s
    %s
    ./sluice kubectl ...   ./sluice temporal ...   ./sluice logs PART   ./sluice down
    """
        .formatted(
            config.temporalUi(),
            config.temporalAddress(),
            config.kubeconfig(),
            config.logs(),
            programs);
  }
}
