package dev.sluice.e2e.crash;

import dev.sluice.e2e.breakpoint.Breakpoint;
import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import dev.sluice.e2e.cluster.Scene;
import dev.sluice.e2e.job.Job;
import dev.sluice.e2e.job.Manifest;
import dev.sluice.e2e.job.Resource;
import dev.sluice.local.demo.Counts;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment that lives through one operation after the other. */
final class Survivor {

  private static final String STABLE_AFTER = "sluice.dev/stable-after";

  private final Scene scene;
  private final String name;
  private int lives;
  private int rounds;
  private Job job;
  private Manifest running;
  private Manifest before;
  private @Nullable Counts counted;
  private boolean canGoBack;
  private String chosen = "";
  private @Nullable Breakpoint heldUpgrade;

  Survivor(Scene scene, String name) {
    this.scene = scene;
    this.name = name;
    this.job = scene.job(name);
    this.running = newer();
    this.before = running;
  }

  Job job() {
    return job;
  }

  /** The newest counts that were read; null when the job is a new one. */
  @Nullable Counts counted() {
    return counted;
  }

  /** The {@link Manifest#ROUND} that is to run now. */
  String round() {
    return running.flinkConfiguration(Manifest.ROUND);
  }

  Optional<Resource> find() {
    return job.find();
  }

  Breakpoint hold(Moment moment, String step) {
    return job.hold(moment, step);
  }

  void release() {
    job.close();
  }

  void annotate(String annotation, String value) {
    job.annotate(annotation, value);
  }

  Optional<Pod> pod(Victim victim) {
    return victim == Victim.JOBMANAGER ? job.flink().jobManager() : job.flink().taskManager();
  }

  Verification verification(Operation operation, boolean disturbed) {
    return new Verification(scene.cluster(), this, operation, disturbed);
  }

  void giveUp() {
    job.discard();
    lives++;
    job = scene.job(name + "-" + lives);
    beginAnew();
    counted = null;
    canGoBack = false;
  }

  void prepare(Operation operation) {
    switch (operation) {
      case DEPLOY -> {
        if (job.find().isPresent()) {
          giveUp();
        }
      }
      case RESUME -> {
        if (job.find()
            .filter(it -> it.operation().equals("Suspend Succeeded MarkStable"))
            .isEmpty()) {
          ensureRuns();
          job.deploy(running.jobState("suspended"));
        }
      }
      case ROLLBACK, REDEPLOY -> {
        ensureRuns();
        if (operation == Operation.ROLLBACK ? !canGoBack : job.savepoints().isEmpty()) {
          change(newer());
          job.awaitReady();
          canGoBack = true;
        }
      }
      case ABORT -> {
        ensureRuns();
        counted = job.counts();
        heldUpgrade = job.hold(Moment.AFTER, "RecordState");
        job.apply(newer());
        job.awaitHeld(heldUpgrade);
        job.request("sluice.dev/abort", "abort");
      }
      case LAST_STATE, RECOVER -> {
        ensureRuns();
        job.await("a checkpoint of its own", it -> job.flink().hasNewestCheckpoint());
      }
      case STABLE_AFTER -> {
        ensureRuns();
        job.annotate(STABLE_AFTER, "3s");
      }
      case UPGRADE, STATELESS, SUSPEND, DELETE -> ensureRuns();
    }
    boolean stopped =
        switch (operation) {
          case DEPLOY, RESUME, ABORT -> true;
          default -> false;
        };
    if (!stopped) {
      counted = job.counts();
    }
  }

  private void ensureRuns() {
    boolean runs =
        job.find()
            .filter(it -> it.condition("Running").startsWith("True"))
            .filter(it -> it.status("/operation/state").equals("Succeeded"))
            .isPresent();
    if (!runs) {
      if (job.find().isPresent()) {
        giveUp();
      } else {
        beginAnew();
      }
      job.deploy(running);
    }
  }

  void begin(Operation operation) {
    switch (operation) {
      case DEPLOY -> job.apply(running);
      case UPGRADE, STABLE_AFTER -> change(newer());
      case LAST_STATE -> change(newer().upgradeMode("last-state"));
      case STATELESS -> change(newer().upgradeMode("stateless"));
      case REDEPLOY -> {
        chosen = job.savepoints().get(0).toUri().toString();
        change(newer().redeployedFrom(rounds, chosen));
      }
      case SUSPEND -> job.apply(running.upgradeMode("savepoint").jobState("suspended"));
      case RESUME -> job.apply(running.upgradeMode("savepoint").jobState("running"));
      case ROLLBACK -> {
        job.annotate("sluice.dev/rollback", "crash matrix");
        running = before;
      }
      case ABORT -> {
        if (heldUpgrade != null) {
          heldUpgrade.release();
        }
      }
      case RECOVER ->
          scene.cluster().kubectl().run("delete", "-n", job.namespace(), "deployment", job.name());
      case DELETE ->
          scene
              .cluster()
              .kubectl()
              .run("delete", "-n", job.namespace(), "flinkdep", job.name(), "--wait=false");
    }
  }

  /** The savepoint that the last redeployment started from. */
  String chosen() {
    return chosen;
  }

  boolean isOver(Operation operation) {
    if (operation == Operation.DELETE) {
      return job.find().isEmpty();
    }
    return job.find().filter(it -> isOver(operation, it)).isPresent();
  }

  private static boolean isOver(Operation operation, Resource now) {
    return switch (operation) {
      case DEPLOY -> now.isReady() && now.operation().equals("Deploy Succeeded MarkStable");
      case UPGRADE, STABLE_AFTER, LAST_STATE, STATELESS, REDEPLOY ->
          now.isReady() && now.operation().equals("Upgrade Succeeded MarkStable");
      case SUSPEND -> now.isReady() && now.operation().equals("Suspend Succeeded MarkStable");
      case RESUME -> now.isReady() && now.operation().equals("Resume Succeeded MarkStable");
      case RECOVER -> now.isReady() && now.operation().equals("Recover Succeeded MarkStable");
      case ROLLBACK, ABORT ->
          now.operation().equals("Rollback Succeeded MarkStable")
              && now.status("/lifecycleState").equals("ROLLED_BACK");
      case DELETE -> false;
    };
  }

  /** It has ended well: remembers what the next one needs. */
  void ended(Operation operation, @Nullable Counts now) {
    counted = now;
    canGoBack = operation == Operation.UPGRADE;
    if (operation == Operation.STABLE_AFTER) {
      // the next operations have no such step
      job.annotate(STABLE_AFTER, "0");
    }
    if (operation == Operation.DELETE) {
      counted = null;
      // the last spec may say what to start from; what is deployed next begins empty
      beginAnew();
    }
  }

  private void beginAnew() {
    running = newer();
    before = running;
  }

  private void change(Manifest newer) {
    before = running;
    running = newer;
    job.apply(newer);
  }

  private Manifest newer() {
    rounds++;
    return job.manifest().quickFailover().config(Manifest.ROUND, Integer.toString(rounds));
  }
}
