package dev.sluice.local.cli;

import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.demo.Demo;
import dev.sluice.local.demo.Deployments;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Everything from nothing: the cluster, a job, its upgrade. */
@Command(
    name = "demo",
    description = "Start the cluster, deploy the sample job, upgrade it with its state.")
final class DemoCommand implements Callable<Integer> {

  @Override
  public Integer call() {
    LocalCluster cluster = Session.cluster();
    cluster.up();
    Session.prepareFlink();
    try (Deployments deployments = Deployments.of(cluster.config())) {
      new Demo(
              cluster.config(),
              cluster.kubectl(),
              deployments,
              System.out,
              Session.isTerminal(),
              InstantSource.system())
          .run();
    }
    cluster.quicken();
    return 0;
  }
}
