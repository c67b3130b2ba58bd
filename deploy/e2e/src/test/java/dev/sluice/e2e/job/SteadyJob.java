package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.Scene;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A job that many tests upgrade, one after the other, because a first deployment costs as much as
 * an upgrade. A test that leaves it in a bad state costs the next one a new job, nothing else.
 */
public final class SteadyJob {

  /** The key of Flink's configuration that tells the specs apart. */
  public static final String ROUND = "e2e.round";

  // a job may come from another one of these, and its rounds must not come again
  private static final AtomicInteger ROUNDS = new AtomicInteger();

  private final Scene scene;
  private final String name;
  private Job job;
  private String round = "";
  private int jobs;

  /** Takes a job that runs, or deploys one. Other tests may have it afterwards. */
  public SteadyJob(Scene scene, String name) {
    this.scene = scene;
    this.name = name;
    this.job = another();
  }

  /** The job as it is now. */
  public Job job() {
    return job;
  }

  /** Goes on with another one when this one does not run as some spec says. */
  public void ensureRuns() {
    boolean runs =
        job.find()
            .filter(it -> List.of("Succeeded", "Aborted").contains(it.status("/operation/state")))
            .filter(it -> it.condition("Running").startsWith("True"))
            .isPresent();
    if (!runs) {
      job.discard();
      job = another();
    }
  }

  /** The {@link #ROUND} of the spec that Flink really runs. */
  public String running() {
    return job.flink().configuration(ROUND);
  }

  /** A spec that is newer than the last one, whatever becomes of that. */
  public Manifest newer() {
    round = Integer.toString(ROUNDS.incrementAndGet());
    return job.manifest().config(ROUND, round);
  }

  /** What {@link #ROUND} is in the newest spec. */
  public String round() {
    return round;
  }

  private Job another() {
    Job another = scene.runningJob(name + "-" + ++jobs);
    scene.leave(another);
    return another;
  }
}
