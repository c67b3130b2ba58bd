package dev.sluice.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.ExactUpgrade;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Three jobs that are upgraded at the same time; each upgrade is held at three of the nine steps,
 * and something is killed while all of them are held. Whatever dies, each upgrade ends with the new
 * spec, exact counts, one job and one savepoint.
 */
final class UpgradesHeld {

  /**
   * The steps of an upgrade, as docs/operations.md has them, each in one of three upgrades: nine
   * would start nine Flink clusters to say the same. Steps that are held at the same time are
   * neighbours, so that none is held for long.
   */
  private static final List<List<String>> STEPS =
      List.of(
          List.of("Observe", "RecordState", "AwaitJobManager"),
          List.of("FreezeTarget", "DeleteCluster", "AwaitRunning"),
          List.of("StopWithSavepoint", "CreateCluster", "MarkStable"));

  private static final int KILLS = 3;

  private final Scene scene;
  private final UnaryOperator<Manifest> spec;

  UpgradesHeld(Scene scene) {
    this(scene, UnaryOperator.identity());
  }

  /** With a change of the example. */
  UpgradesHeld(Scene scene, UnaryOperator<Manifest> spec) {
    this.scene = scene;
    this.spec = spec;
  }

  /** Kills what they all need; each new job is the one that was restored from the savepoint. */
  void andKilled(Moment moment, Runnable kill) {
    upgrade(
        step -> moment,
        jobs -> kill.run(),
        (upgrade, ready) -> {
          upgrade.verifyExact(ready);
          upgrade.verifyRestored(ready);
        });
  }

  /**
   * Kills what the jobs need, too. A new job may have failed over meanwhile, because its JobManager
   * was killed, or gave up its leadership when it could not renew it: its newest restore may be one
   * from a checkpoint that it made after the savepoint.
   */
  void andJobsDisturbed(Function<String, Moment> moment, Consumer<List<Job>> kill) {
    upgrade(moment, kill, ExactUpgrade::verifyExact);
  }

  private void upgrade(
      Function<String, Moment> moment,
      Consumer<List<Job>> kill,
      BiConsumer<ExactUpgrade, Resource> then) {
    // given
    List<Job> jobs = IntStream.range(0, STEPS.size()).mapToObj(this::applied).toList();
    jobs.forEach(Job::awaitReady);
    List<Held> upgrades =
        IntStream.range(0, STEPS.size())
            .mapToObj(it -> new Held(scene, jobs.get(it), STEPS.get(it), moment))
            .toList();
    upgrades.forEach(Held::begin);

    // when
    for (int kills = 0; kills < KILLS; kills++) {
      int step = kills;
      upgrades.forEach(it -> it.awaitHeldAt(step));
      kill.accept(jobs);
      upgrades.forEach(it -> it.goOnFrom(step));
    }

    // then
    upgrades.forEach(it -> it.verify(then));
  }

  private Job applied(int number) {
    Job job = scene.job("survivor-" + number);
    job.apply(spec.apply(job.manifest()).config(Manifest.ROUND, "0"));
    return job;
  }

  /** One of them. */
  private static final class Held {

    private final Job job;
    private final List<String> steps;
    private final List<Breakpoint> breakpoints;
    private final ExactUpgrade upgrade;

    Held(Scene scene, Job job, List<String> steps, Function<String, Moment> moment) {
      this.job = job;
      this.steps = steps;
      this.breakpoints = steps.stream().map(it -> job.hold(moment.apply(it), it)).toList();
      this.upgrade = ExactUpgrade.begin(scene.cluster(), job);
    }

    void begin() {
      job.apply(job.applied().config(Manifest.ROUND, "1"));
    }

    void awaitHeldAt(int step) {
      job.awaitHeld(breakpoints.get(step));
    }

    void goOnFrom(int step) {
      breakpoints.get(step).release();
    }

    void verify(BiConsumer<ExactUpgrade, Resource> then) {
      try (upgrade) {
        Resource ready = job.awaitReady();
        then.accept(upgrade, ready);
        assertThat(job.flink().configuration(Manifest.ROUND))
            .as("killed at %s", steps)
            .isEqualTo("1");
      }
    }
  }
}
