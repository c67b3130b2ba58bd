package dev.sluice.local.cli;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.PartStatus;
import java.util.List;

/** What a person wants to know about a cluster, as text. */
final class StatusReport {

  private static final String POD_LINE =
      "{range .items[*]}{.metadata.labels.app\\.kubernetes\\.io/component}{\" \"}"
          + "{.status.conditions[?(@.type==\"Ready\")].status}{\" \"}{.status.podIP}{\"\\n\"}{end}";

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
    Kubectl.Result pods =
        cluster
            .kubectl()
            .run(
                "get",
                "pods",
                "--namespace=sluice-system",
                "--selector=app.kubernetes.io/part-of=sluice",
                "--output=jsonpath=" + POD_LINE);
    StringBuilder text = new StringBuilder();
    if (pods.ok()) {
      for (String line : pods.output().lines().toList()) {
        String[] words = line.split(" ", -1);
        String health =
            words.length > 2 && words[1].equals("True")
                ? "ready, http://" + words[2] + ":8080/readyz"
                : "not ready";
        text.append("%-13s %s%n".formatted(words[0], health));
      }
    }
    return text.toString();
  }
}
