package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.Scene;
import java.util.List;

/**
 * A job that many tests upgrade, one after the other, because a first deployment costs as much as
 * an upgrade. A test that leaves it in a bad state costs the next one a new job, nothing else.
 */
public final class SteadyJob {

  /** The key of Flink's configuration that tells the specs apart. */
  public static final String ROUND = "e2e.round";

  private final Scene scene;
  private final String name;
  private Job job;
  private int round;
  private int jobs;

  /** Deploys it. */
  public SteadyJob(Scene scene, String name) {
    this.scene = scene;
    this.name = name;
    this.job = fresh();
  }

  /** The job as it is now. */
  public Job job() {
    return job;
  }

  /** Deploys another one when this one does not run as some spec says. */
  public void ensureRuns() {
    Resource now = job.get();
    boolean settled = List.of("Succeeded", "Aborted").contains(now.status("/operation/state"));
    if (!settled || !now.condition("Running").startsWith("True")) {
      job.discard();
      job = fresh();
    }
  }

  /** The {@link #ROUND} of the spec that Flink really runs. */
  public String running() {
    return job.flink().configuration(ROUND);
  }

  /** A spec that is newer than the last one, whatever becomes of that. */
  public Manifest newer() {
    round++;
    return job.manifest().config(ROUND, round());
  }

  /** What {@link #ROUND} is in the newest spec. */
  public String round() {
    return Integer.toString(round);
  }

  private Job fresh() {
    Job fresh = scene.job(name + "-" + ++jobs);
    fresh.deploy(fresh.manifest().config(ROUND, round()));
    return fresh;
  }
}
