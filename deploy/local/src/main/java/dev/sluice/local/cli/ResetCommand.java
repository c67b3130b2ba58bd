package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Ends all processes and deletes the state. */
@Command(
    name = "reset",
    description = "End the cluster and delete its state: objects, histories, logs, credentials.")
final class ResetCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    LocalCluster cluster = Session.cluster();
    cluster.reset();
    System.out.println("down, and " + cluster.config().home() + " is deleted");
    return 0;
  }
}
