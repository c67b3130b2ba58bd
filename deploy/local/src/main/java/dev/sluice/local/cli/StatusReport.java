package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.Operator;
import dev.sluice.local.cluster.Part;
import java.util.List;

/** The state of a cluster, as text. */
final class StatusReport {
  private StatusReport() {}

  /** One line for each part, and what kubectl lists of pods. */
  static String table(List<LocalCluster.PartStatus> parts, String pods) {
    StringBuilder table = new StringBuilder(line("PART", "STATE", "PID"));
    for (LocalCluster.PartStatus part : parts) {
      String pid = part.pid() == 0 ? "-" : Long.toString(part.pid());
      table.append(line(part.name().toString(), word(part.state()), pid));
    }
    return table.append("%n%s%n".formatted(pods)).toString();
  }

  private static String word(Part.State state) {
    return switch (state) {
      case STOPPED -> "stopped";
      case OUTDATED -> "outdated";
      case UNREADY -> "not ready";
      case READY -> "running";
    };
  }

  private static String line(String part, String state, String pid) {
    return "%-28s %-12s %8s%n".formatted(part, state, pid);
  }

  /** Of a cluster whose parts are ready. */
  static int exitCode(List<Operator.Program> programs) {
    return programs.stream().allMatch(it -> it.problem().isEmpty()) ? 0 : 1;
  }

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
