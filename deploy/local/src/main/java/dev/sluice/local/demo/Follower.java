package dev.sluice.local.demo;

import dev.sluice.local.cluster.ClusterConfig;
import dev.sluice.local.cluster.ClusterException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows an operation on a FlinkDeployment to its end, and shows its steps meanwhile. */
final class Follower {

  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofMinutes(4);
  private static final Duration READY = Duration.ofSeconds(20);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final ClusterConfig config;
  private final Deployments deployments;
  private final PrintStream out;
  private final boolean terminal;
  private final InstantSource clock;

  Follower(
      ClusterConfig config,
      Deployments deployments,
      PrintStream out,
      boolean terminal,
      InstantSource clock) {
    this.config = config;
    this.deployments = deployments;
    this.out = out;
    this.terminal = terminal;
    this.clock = clock;
  }

  /**
   * Follows the next run of a resource.
   *
   * @param before run id of the last run before the change; null when there was none
   * @return the run, completed, its resource ready
   * @throws ClusterException when it ends otherwise, parks, or takes too long
   */
  RunView follow(String name, @Nullable String before) {
    Lane lane = new Lane(config, deployments.get(name).lane());
    RunView started =
        Repeat.until(
            START,
            LOOK,
            () -> notStarted(name),
            () -> lane.latest().filter(run -> !run.runId().equals(before)));
    StepLines lines = new StepLines(out, terminal);
    try {
      RunView ended =
          Repeat.until(
              END,
              LOOK,
              () -> name + ": " + deployments.get(name).operationMessage(),
              () -> look(name, lane, started, lines));
      lines.end();
      requireCompleted(name, lane, started, ended);
    } finally {
      lines.end();
    }
    Repeat.until(
        READY,
        LOOK,
        () -> name + " is not Ready: " + deployments.get(name).readyMessage(),
        () -> deployments.find(name).filter(DeploymentView::ready));
    return started;
  }

  private Optional<RunView> look(String name, Lane lane, RunView started, StepLines lines) {
    RunView now = lane.latest().orElse(started);
    List<StepSeen> steps = lane.steps(started.runId());
    lines.show(steps, note(now), clock.instant());
    if (!now.runId().equals(started.runId()) || !now.isOpen()) {
      return Optional.of(now);
    }
    if (now.attempt() == 0 && deployments.get(name).parked()) {
      throw new ClusterException(
          "%s waits for you: %s%nSee %s"
              .formatted(name, deployments.get(name).operationMessage(), lane.page(now.runId())));
    }
    return Optional.empty();
  }

  private static String note(RunView run) {
    return run.attempt() > 1 ? "attempt " + run.attempt() + ": " + run.problem() : "";
  }

  private static void requireCompleted(String name, Lane lane, RunView started, RunView ended) {
    if (!ended.runId().equals(started.runId()) || !ended.isCompleted()) {
      throw new ClusterException(
          "the %s of %s did not get through: it ended in %s, %s%nSee %s"
              .formatted(
                  started.operation(),
                  name,
                  ended.operation(),
                  ended.status(),
                  lane.page(started.runId())));
    }
  }

  private String notStarted(String name) {
    return "no workflow was started for %s (%s); see './sluice logs controller'"
        .formatted(name, deployments.get(name).readyMessage());
  }
}
