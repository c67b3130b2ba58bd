package dev.sluice.e2e.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.demo.Deployments;
import dev.sluice.local.os.Trees;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long it takes until the status says that a job has failed. */
final class FailureBench {

  private static final String NAME = "bench-failure";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Deployments deployments;
  private final PrintStream out;

  FailureBench(ClusterConfig config, Kubectl kubectl, Deployments deployments, PrintStream out) {
    this.config = config;
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.out = out;
  }

  /** Runs it and prints what comes of it. Leaves no cluster behind. */
  void run(int rounds) throws IOException {
    Path folder = Files.createTempDirectory("bench-failure");
    ResourceUpgrade resource = ResourceUpgrade.of(config, kubectl, deployments, NAME);
    resource.remove();
    try {
      List<Duration> times = new ArrayList<>();
      out.println("round  FAILED in Flink -> in the status");
      for (int round = 1; round <= rounds; round++) {
        Path file = folder.resolve("round-" + round);
        resource.change(spec -> failsWhile(spec, file));
        resource.to("flink:2.2");
        Files.createFile(file);
        times.add(seen());
        out.printf("%5d  %5d ms%n", round, times.get(times.size() - 1).toMillis());
      }
      out.print(text(times));
    } finally {
      resource.remove();
      Trees.delete(folder);
    }
  }

  /** Another file is another spec: the next round starts the job again. */
  private static void failsWhile(ObjectNode spec, Path file) {
    spec.withObject("/flinkConfiguration").put("restart-strategy.type", "none");
    spec.withObject("/job")
        .put("upgradeMode", "stateless")
        .putArray("args")
        .add("--rate")
        .add("100")
        .add("--fail-while-file")
        .add(file.toString());
  }

  /** Flink dates the end of the job by this machine's clock. */
  private Duration seen() {
    long told =
        Poll.answer(TIMEOUT, LOOK, () -> "the status says that the job has failed", this::told);
    long ended = Poll.answer(TIMEOUT, LOOK, () -> "Flink tells when the job ended", this::ended);
    return Duration.ofMillis(told - ended);
  }

  private Optional<Long> told() {
    String state = deployments.get(NAME).json().at("/status/jobStatus/state").asText();
    return state.equals("FAILED") ? Optional.of(System.currentTimeMillis()) : Optional.empty();
  }

  /** Empty while Flink does not answer. */
  private Optional<Long> ended() {
    try {
      Optional<String> rest = deployments.rest(NAME);
      return rest.isPresent() ? Optional.of(FlinkApi.lastEnd(rest.get())) : Optional.empty();
    } catch (IOException notYet) {
      return Optional.empty();
    }
  }

  static String text(List<Duration> times) {
    List<Duration> sorted = times.stream().sorted().toList();
    return """

    median of %d rounds                        %5d ms    (goal: <= 2000)
    longest                                    %5d ms
    """
        .formatted(
            sorted.size(),
            sorted.get(sorted.size() / 2).toMillis(),
            sorted.get(sorted.size() - 1).toMillis());
  }
}
