package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
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
    cluster.quicken();
    System.out.print(new StatusReport(cluster).whereThingsAre());
    return 0;
  }
}
