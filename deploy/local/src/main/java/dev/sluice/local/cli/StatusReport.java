package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.PartStatus;
import dev.sluice.local.cluster.Program;
import java.util.List;

/** What a person wants to know about a cluster, as text. */
final class StatusReport {

  private final LocalCluster cluster;

  StatusReport(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /** One line for each part. */
  String table(List<PartStatus> parts) {
    StringBuilder table =
        new StringBuilder("%-26s %-10s %8s %8s%n".formatted("PART", "STATE", "PID", "RSS"));
    for (PartStatus part : parts) {
      String pid = part.pid() == 0 ? "-" : Long.toString(part.pid());
      String memory = part.pid() == 0 ? "-" : part.residentMegabytes() + "M";
      table.append("%-26s %-10s %8s %8s%n".formatted(part.name(), part.state(), pid, memory));
    }
    return table.toString();
  }

  /** Addresses and files. */
  String whereThingsAre() {
    ClusterConfig config = cluster.config();
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
            programs());
  }

  private String programs() {
    StringBuilder text = new StringBuilder();
    for (Program program : cluster.programs()) {
      String health = program.problem().map(why -> "not ready: " + why).orElse("ready");
      text.append("%-13s %s  %s%n".formatted(program.component(), program.healthUrl(), health));
    }
    return text.toString();
  }
}
