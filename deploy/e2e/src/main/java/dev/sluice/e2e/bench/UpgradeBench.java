package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.demo.Deployments;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Upgrades two equal clusters in turns, one by a script and one by Sluice, while the other one
 * runs.
 */
final class UpgradeBench {

  private static final String SCRIPT = "bench-script";
  private static final String SLUICE = "bench-sluice";
  private static final List<String> IMAGES = List.of("flink:2.2", "flink:2.2.1");
  private static final Duration SETTLE = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Deployments deployments;
  private final CostMeter meter;
  private final PrintStream out;

  UpgradeBench(ClusterConfig config, Kubectl kubectl, Deployments deployments, PrintStream out) {
    this.config = config;
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.meter = new CostMeter(config, deployments);
    this.out = out;
  }

  /**
   * Runs it and prints what comes of it. Leaves neither cluster behind.
   *
   * @param rounds how many upgrades of each kind are measured
   * @param warmUp whether one of each kind comes first, and is not measured
   */
  void run(int rounds, boolean warmUp) throws IOException {
    meter.mark();
    ResourceUpgrade resource = ResourceUpgrade.of(config, kubectl, deployments, SLUICE);
    out.println(warmUp ? "warming up: two clusters, upgraded once each" : "starting two clusters");
    resource.remove();
    if (warmUp) {
      resource.to(IMAGES.get(0));
    }
    resource.to(IMAGES.get(1));
    List<JsonNode> objects = DeployedObjects.of(deployments.client(), SLUICE);
    ScriptedUpgrade script =
        new ScriptedUpgrade(kubectl, deployments, SCRIPT, ManifestCopy.of(objects, SLUICE, SCRIPT));
    try {
      script.remove();
      script.start(IMAGES.get(warmUp ? 0 : 1), deployments.get(SLUICE).operation("savepoint"));
      if (warmUp) {
        script.upgrade(IMAGES.get(1));
      }
      UpgradeReport report = new UpgradeReport(measure(rounds, script, resource));
      out.print(report.text());
    } finally {
      script.remove();
      resource.remove();
    }
  }

  private List<UpgradeReport.Round> measure(
      int rounds, ScriptedUpgrade script, ResourceUpgrade resource) throws IOException {
    List<UpgradeReport.Round> measured = new ArrayList<>();
    out.print(UpgradeReport.header());
    for (int i = 1; i <= rounds; i++) {
      String image = IMAGES.get((i + 1) % 2);
      quiet();
      long began = System.nanoTime();
      script.upgrade(image);
      double scripted = seconds(began);
      CostMeter.Mark mark = quiet();
      began = System.nanoTime();
      resource.to(image);
      double sluice = seconds(began);
      quiet();
      UpgradeReport.Round round = new UpgradeReport.Round(i, scripted, sluice, meter.since(mark));
      measured.add(round);
      out.print(UpgradeReport.line(round));
    }
    return measured;
  }

  /** Waits until controller and worker write no more; says so when they do not stop. */
  private CostMeter.Mark quiet() {
    AtomicReference<CostMeter.@Nullable Mark> last = new AtomicReference<>();
    Look end =
        Poll.last(
            SETTLE,
            LOOK,
            () -> {
              CostMeter.Mark now = meter.mark();
              CostMeter.Mark before = last.getAndSet(now);
              return new Look(now, before != null && meter.since(before).api().writes() == 0);
            },
            Look::quiet);
    if (!end.quiet()) {
      out.println("other resources are busy: the figures include what is done for them");
    }
    return end.mark();
  }

  /**
   * @param quiet whether nothing was written since the look before
   */
  private record Look(CostMeter.Mark mark, boolean quiet) {}

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }
}
