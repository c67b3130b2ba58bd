package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.Operator;
import dev.sluice.local.cluster.Part;
import dev.sluice.local.cluster.PodStatus;
import java.util.List;

/** The state of a cluster, as text. */
final class StatusReport {
  private StatusReport() {}

  /** One line for each part and each pod, and what they hold together. */
  static String table(List<LocalCluster.PartStatus> parts, List<PodStatus> pods) {
    StringBuilder table = new StringBuilder(line("PART", "STATE", "PID", "RSS"));
    long total = 0;
    for (LocalCluster.PartStatus part : parts) {
      String pid = part.pid() == 0 ? "-" : Long.toString(part.pid());
      String memory = part.pid() == 0 ? "-" : part.residentMegabytes() + "M";
      table.append(line(part.name().toString(), word(part.state()), pid, memory));
      total += part.residentMegabytes();
    }
    for (PodStatus pod : pods) {
      table.append(line("pod " + pod.name(), pod.state(), "", pod.residentMegabytes() + "M"));
      total += pod.residentMegabytes();
    }
    return table.append(line("all together", "", "", total + "M")).toString();
  }

  private static String word(Part.State state) {
    return switch (state) {
      case STOPPED -> "stopped";
      case OUTDATED -> "outdated";
      case UNREADY -> "not ready";
      case READY -> "running";
    };
  }

  private static String line(String part, String state, String pid, String memory) {
    return "%-48s %-17s %8s %8s%n".formatted(part, state, pid, memory);
  }

  /** Of a cluster whose parts are ready. */
  static int exitCode(List<Operator.Program> programs) {
    return programs.stream().allMatch(it -> it.problem().isEmpty()) ? 0 : 1;
  }

  /** Addresses and files. */
  static String whereThingsAre(ClusterConfig config, List<Operator.Program> programs) {
    StringBuilder lines = new StringBuilder();
    for (Operator.Program program : programs) {
      String health = program.problem().map(why -> "not ready: " + why).orElse("ready");
      lines.append("%-13s %s  %s%n".formatted(program.component(), program.healthUrl(), health));
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
            lines);
  }
}
