package dev.sluice.local.demo;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import dev.sluice.local.cluster.Kubectl;
import dev.sluice.local.flink.Counts;
import dev.sluice.local.flink.SampleCounts;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Deploys the sample job on a cluster that is up, upgrades it with its state, and tells what comes
 * of it.
 */
public final class Demo {

  private static final String NAME = "counter";
  private static final String EXAMPLE = "deploy/local/examples/counter.yaml";
  private static final String CHANGE =
      "{\"spec\":{\"image\":\"flink:2.2.1\",\"job\":{\"parallelism\":2}}}";
  private static final Duration COUNTS = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ClusterConfig config;
  private final Kubectl kubectl;
  private final Deployments deployments;
  private final PrintStream out;
  private final Follower follower;
  private final InstantSource clock;

  /**
   * @param terminal whether {@code out} is one
   */
  public Demo(
      ClusterConfig config,
      Kubectl kubectl,
      Deployments deployments,
      PrintStream out,
      boolean terminal,
      InstantSource clock) {
    this.config = config;
    this.kubectl = kubectl;
    this.deployments = deployments;
    this.out = out;
    this.clock = clock;
    this.follower = new Follower(config, deployments, out, terminal, clock);
  }

  /**
   * Shows it all. Doing it again starts from the beginning, with a new resource.
   *
   * @throws ClusterException when anything does not come out right
   */
  public void run() {
    removeOld();
    heading("Deploy the sample job: it counts per key, and checks its counts");
    kubectl("apply", "-f", EXAMPLE);
    long began = clock.millis();
    follower.follow(NAME, null);
    out.printf("  %s is Ready after %s%n", NAME, since(began));
    Counts before = counts(counts -> counts.total() > 0);
    out.println("  " + CountCheck.line(before));

    heading("Upgrade it with its state: flink:2.2 -> flink:2.2.1, parallelism 1 -> 2");
    String deployed = lane().latest().map(RunView::runId).orElse("");
    kubectl("patch", "flinkdeployment", NAME, "--type=merge", "--patch=" + CHANGE);
    began = clock.millis();
    RunView upgrade = follower.follow(NAME, deployed);
    out.printf("  %s is Ready after %s%n", NAME, since(began));
    Counts after = counts(counts -> counts.total() > counts.restored());
    check(before, after);
    tell(before, after, upgrade);
  }

  private void removeOld() {
    if (deployments.find(NAME).isEmpty()) {
      return;
    }
    heading("Remove " + NAME + " of an earlier time");
    kubectl("delete", "flinkdeployment", NAME, "--timeout=120s");
  }

  private void check(Counts before, Counts after) {
    Optional<String> problem = CountCheck.problem(before, after);
    if (problem.isPresent()) {
      throw new ClusterException("the state did not survive: " + problem.get());
    }
    if (deployments.get(NAME).savepoint().isEmpty()) {
      throw new ClusterException("the status of " + NAME + " names no savepoint");
    }
  }

  private void tell(Counts before, Counts after, RunView upgrade) {
    out.printf(
        """

        before      %s
        after       %s
        went on at  %,d, from savepoint %s
        workflow    %s
        """,
        CountCheck.line(before),
        CountCheck.line(after),
        after.restored(),
        deployments.get(NAME).savepoint(),
        lane().page(upgrade.runId()));
    out.print(nextSteps());
  }

  private String nextSteps() {
    return """

    The cluster stays. Three things to try:

    1. Abort an upgrade half way: the old spec comes back, with its state
         ./sluice kubectl patch flinkdeployment counter --type=merge -p '{"spec":{"job":{"parallelism":1}}}'
         ./sluice kubectl annotate --overwrite flinkdeployment counter sluice.dev/abort="changed my mind"
    2. A job that cannot start: it waits for you, and goes on when asked to or with a better spec
         ./sluice kubectl apply -f deploy/local/examples/counter-failing.yaml
         ./sluice kubectl annotate --overwrite flinkdeployment counter-failing sluice.dev/retry="once more"
    3. Look at all that happened to it
         ./sluice temporal workflow list --query 'WorkflowId="%s"'
         %s

    ./sluice down  stops everything and keeps it for the next  ./sluice up
    """
        .formatted(
            deployments.get(NAME).lane(), config.temporalUi() + "/namespaces/default/workflows");
  }

  private Counts counts(Predicate<Counts> enough) {
    return Repeat.until(
        COUNTS,
        LOOK,
        () -> "the sample job tells its counts",
        () -> {
          Optional<String> rest = deployments.rest(NAME);
          try {
            return rest.isEmpty()
                ? Optional.<Counts>empty()
                : SampleCounts.read(rest.get(), deployments.get(NAME).jobId()).filter(enough);
          } catch (IOException e) {
            return Optional.<Counts>empty();
          }
        });
  }

  private Lane lane() {
    return new Lane(config, deployments.get(NAME).lane());
  }

  private void kubectl(String... arguments) {
    out.println("  $ ./sluice kubectl " + CommandLine.shown(List.of(arguments)));
    String[] absolute = arguments.clone();
    for (int i = 0; i < absolute.length; i++) {
      absolute[i] =
          absolute[i].equals(EXAMPLE) ? config.root().resolve(EXAMPLE).toString() : absolute[i];
    }
    Kubectl.Result result = kubectl.run(absolute);
    if (!result.ok()) {
      throw new ClusterException("kubectl: " + result.output());
    }
  }

  private void heading(String text) {
    out.println();
    out.println(text);
  }

  private String since(long began) {
    return "%.1f s".formatted((clock.millis() - began) / 1000.0);
  }
}
