package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.cluster.PartStatus;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says how each part is; ends with 1 when one is not ready. */
@Command(name = "status", description = "Say how each part is and where things are.")
final class StatusCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    LocalCluster cluster = Session.cluster();
    List<PartStatus> parts = cluster.status();
    StatusReport report = new StatusReport(cluster);
    System.out.print(StatusReport.table(parts, cluster.podMemory()));
    boolean ready = parts.stream().allMatch(PartStatus::isReady);
    if (ready) {
      System.out.print(report.whereThingsAre());
    } else {
      System.out.println("./sluice up  starts what is missing");
    }
    return ready ? 0 : 1;
  }
}
