package dev.sluice.e2e.bench;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;

/** What a job costs that runs and is left alone. */
final class IdleBench {

  private static final String NAME = "bench-idle";
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Deployments deployments;
  private final PrintStream out;

  IdleBench(ClusterConfig config, Kubectl kubectl, Deployments deployments, PrintStream out) {
    this.config = config;
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.out = out;
  }

  /** Runs it and prints what comes of it. Leaves no cluster behind. */
  void run(int minutes) throws IOException {
    CostMeter meter = new CostMeter(config, deployments);
    meter.mark();
    ResourceUpgrade resource = ResourceUpgrade.of(config, kubectl, deployments, NAME);
    resource.remove();
    try {
      out.println("starting a job, and leaving it alone for a minute first");
      resource.to("flink:2.2");
      pass(Duration.ofMinutes(1));
      CostMeter.Mark mark = meter.mark();
      pass(Duration.ofMinutes(minutes));
      out.print(text(meter.since(mark), minutes));
    } finally {
      resource.remove();
    }
  }

  static String text(CostMeter.Cost cost, int minutes) {
    return """

    in %d min, by controller and worker
      API-server writes                 %5d    (goal: 0)
      API-server reads                  %5d    %s
      API-server calls for leases       %5d
      passes over Flink clusters        %5d
      Flink REST requests               %5d    (goal: 1 per pass)
    %s"""
        .formatted(
            minutes,
            cost.api().writes(),
            cost.api().reads(),
            cost.api().readsByKind(),
            cost.api().leases(),
            cost.passes(),
            cost.flinkRequests(),
            cost.api().writes() == 0 ? "" : "writes: " + cost.api().writesByKind() + "\n");
  }

  /** Lets time pass: here it is what is measured. */
  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    boolean unused =
        Poll.answer(
            time.plusMinutes(1),
            LOOK,
            () -> "the time passes",
            () -> System.nanoTime() >= end ? Optional.of(true) : Optional.empty());
  }
}
