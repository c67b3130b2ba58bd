package dev.sluice.local.demo;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.cluster.Poll;
import dev.sluice.local.flink.FlinkRelease;
import dev.sluice.local.os.Resources;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Deploys the sample job on a cluster that is up and upgrades it with its state. */
public final class Demo {
  private static final String NAME = "counter";
  private static final String EXAMPLE = "deploy/local/examples/counter.yaml";
  private static final String IMAGE = "flink:2.2";
  private static final Duration OPERATION = Duration.ofMinutes(4);
  private static final Duration COUNTS = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Deployments deployments;
  private final PrintStream out;

  public Demo(ClusterConfig config, Kubectl kubectl, Deployments deployments, PrintStream out) {
    this.config = config;
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.out = out;
  }

  /**
   * Shows it all. Doing it again starts from the beginning, with a new resource.
   *
   * @throws ClusterException when the job does not get ready, or its state does not survive
   */
  public void run() throws IOException {
    if (deployments.find(NAME).isPresent()) {
      out.printf("%nRemove the %s of an earlier demo%n", NAME);
      kubectl("delete", "flinkdeployment", NAME, "--timeout=120s");
    }
    out.printf("%nDeploy the sample job: it counts per key, and checks its counts%n");
    kubectl("apply", "-f", EXAMPLE);
    awaitReady();
    Counts before = counts(counts -> counts.total() > 0);
    out.println("  " + before.line());

    String image = fullImage();
    out.printf(
        "%nUpgrade it with its state: parallelism 1 -> 2, image %s -> %s (the same Flink here)%n",
        IMAGE, image);
    String change = "{\"spec\":{\"image\":\"%s\",\"job\":{\"parallelism\":2}}}".formatted(image);
    kubectl("patch", "flinkdeployment", NAME, "--type=merge", "--patch=" + change);
    DeploymentView upgraded = awaitReady();
    Counts after = counts(counts -> counts.total() > counts.restored());
    Optional<String> problem = after.problemSince(before);
    if (problem.isPresent()) {
      throw new ClusterException("the state did not survive: " + problem.get());
    }
    if (upgraded.operation("savepoint").isEmpty()) {
      throw new ClusterException("the status of " + NAME + " names no savepoint");
    }
    tell(before, after, upgraded);
  }

  /** The example's image by the tag that names its patch release, too. */
  static String fullImage() {
    return "flink:" + FlinkRelease.ofImage(IMAGE).orElseThrow().version();
  }

  /** Prints the steps of the operation on the newest generation, until the resource is ready. */
  private DeploymentView awaitReady() {
    long began = System.nanoTime();
    String[] shown = {""};
    DeploymentView ready =
        Poll.answer(
            OPERATION,
            LOOK,
            () -> deployments.get(NAME).problem(),
            () -> {
              DeploymentView now = deployments.get(NAME);
              if (now.hasFailed()) {
                throw new ClusterException(now.problem() + "\nSee " + page(now));
              }
              String step = now.isAtNewestGeneration() ? now.operation("step") : "";
              if (!step.isEmpty() && !step.equals(shown[0])) {
                shown[0] = step;
                out.printf("  %7s  %-24s %s%n", since(began), step, now.operation("message"));
              }
              return Optional.of(now)
                  .filter(it -> it.isReady() && it.operation("state").equals("Succeeded"));
            });
    out.printf("  %7s  %s is Ready%n", since(began), NAME);
    return ready;
  }

  private void tell(Counts before, Counts after, DeploymentView upgraded) throws IOException {
    out.printf(
        Resources.text(Demo.class, "after.txt"),
        before.line(),
        after.line(),
        after.restored(),
        upgraded.operation("savepoint"),
        page(upgraded),
        upgraded.operation("workflowId"),
        config.temporalUi());
  }

  private String page(DeploymentView view) {
    return "%s/namespaces/default/workflows/%s/%s/history"
        .formatted(config.temporalUi(), view.operation("workflowId"), view.operation("runId"));
  }

  private Counts counts(Predicate<Counts> enough) {
    return Poll.answer(
        COUNTS,
        LOOK,
        () -> "the sample job tells its counts",
        () -> {
          Optional<String> rest = deployments.rest(NAME);
          try {
            return rest.isEmpty()
                ? Optional.<Counts>empty()
                : Counts.read(rest.get(), deployments.get(NAME).jobId()).filter(enough);
          } catch (IOException e) {
            return Optional.<Counts>empty();
          }
        });
  }

  private void kubectl(String... arguments) {
    out.println("  $ ./sluice kubectl " + shown(List.of(arguments)));
    String[] absolute = arguments.clone();
    for (int i = 0; i < absolute.length; i++) {
      absolute[i] =
          absolute[i].equals(EXAMPLE) ? config.root().resolve(EXAMPLE).toString() : absolute[i];
    }
    kubectl.succeed("", absolute);
  }

  /** As typed in a POSIX shell. */
  static String shown(List<String> words) {
    return words.stream()
        .map(
            word -> word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  private static String since(long began) {
    return "%.1f s".formatted((System.nanoTime() - began) / 1e9);
  }
}
