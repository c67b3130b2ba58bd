package dev.sluice.e2e.bench;

import dev.sluice.local.cli.Sluice;
import dev.sluice.local.cluster.LocalCluster;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.util.Arrays;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures what Sluice costs; see docs/performance.md. */
@Command(
    name = "sluice bench",
    description = "Measure what Sluice costs, on the cluster that is up.",
    synopsisSubcommandLabel = "(upgrade | idle | failure)")
public final class Bench {

  private Bench() {}

  /**
   * @param arguments begin with {@code bench}
   */
  public static void main(String[] arguments) {
    String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
    System.exit(Sluice.commandLine(new Bench()).execute(own));
  }

  @Command(
      name = "upgrade",
      description = "Upgrades by a script and by Sluice, in turns: times, writes, requests.")
  int upgrade(
      @Option(
              names = "--rounds",
              defaultValue = "5",
              description = "How many of each (default ${DEFAULT-VALUE}).")
          int rounds,
      @Option(
              names = "--no-warm-up",
              description = "Measure the first upgrades: figures come sooner, and are higher.")
          boolean cold)
      throws IOException {
    return measure(
        (cluster, deployments) ->
            new UpgradeBench(cluster.config(), cluster.kubectl(), deployments, System.out)
                .run(Math.max(1, rounds), !cold));
  }

  @Command(name = "idle", description = "Writes and requests for a job that is left alone.")
  int idle(
      @Option(
              names = "--minutes",
              defaultValue = "1",
              description = "For how long (default ${DEFAULT-VALUE}).")
          int minutes)
      throws IOException {
    return measure(
        (cluster, deployments) ->
            new IdleBench(cluster.config(), cluster.kubectl(), deployments, System.out)
                .run(Math.max(1, minutes)));
  }

  @Command(name = "failure", description = "Time until the status says that a job has failed.")
  int failure(
      @Option(
              names = "--rounds",
              defaultValue = "5",
              description = "How many failures (default ${DEFAULT-VALUE}).")
          int rounds)
      throws IOException {
    return measure(
        (cluster, deployments) ->
            new FailureBench(cluster.config(), cluster.kubectl(), deployments, System.out)
                .run(Math.max(1, rounds)));
  }

  private interface Measurement {
    void on(LocalCluster cluster, Deployments deployments) throws IOException;
  }

  private static int measure(Measurement measurement) throws IOException {
    LocalCluster cluster = Sluice.cluster();
    cluster.up();
    try (Deployments deployments = new Deployments(cluster.config())) {
      measurement.on(cluster, deployments);
    }
    return 0;
  }
}
