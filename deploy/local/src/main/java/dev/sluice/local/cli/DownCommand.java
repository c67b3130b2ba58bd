package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Ends all processes. */
@Command(name = "down", description = "End every process of the cluster; its state is kept.")
final class DownCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    LocalCluster cluster = Session.cluster();
    cluster.down();
    System.out.println("down; the state is kept in " + cluster.config().home());
    return 0;
  }
}
