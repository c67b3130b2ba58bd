package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.flink.FlinkHomeException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Starts or heals the cluster. */
@Command(
    name = "up",
    description = "Start the cluster, or what is missing of it, and say where things are.")
final class UpCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    LocalCluster cluster = Session.cluster();
    cluster.up();
    prepareFlink();
    cluster.quicken();
    System.out.print(new StatusReport(cluster).whereThingsAre());
    return 0;
  }

  /** The cluster is up without it: a pod that needs Flink will say what is in the way. */
  private static void prepareFlink() {
    try {
      Session.prepareFlink();
    } catch (FlinkHomeException e) {
      System.out.println("Flink is not ready yet, the first pod that needs it tries again:");
      System.out.println(e.getMessage());
    }
  }
}
