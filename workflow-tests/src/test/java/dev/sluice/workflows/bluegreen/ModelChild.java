package dev.sluice.workflows.bluegreen;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.bluegreen.ChildSeen.Shape;
import dev.sluice.workflows.bluegreen.ModelSpec.Works;
import org.jspecify.annotations.Nullable;

/** A FlinkDeployment whose own lane works, with a job that counts what it has processed. */
final class ModelChild {

  final Color color;
  final String uid;
  @Nullable String startsFrom;
  final boolean ours;
  long madeFor;
  ModelSpec spec;

  /** What the job has processed: its state. */
  long records;

  /** How many looks see its own operation at work. */
  int busy = 1;

  /** A session cluster and a job on it, and not one resource with a job. */
  boolean session;

  /** A session cluster may still have none. */
  boolean hasJob = true;

  /** Its job has failed, or its operation is held, by no fault of the spec. */
  @Nullable Phase broken;

  ModelChild(
      Color color,
      String uid,
      long madeFor,
      ModelSpec spec,
      @Nullable String startsFrom,
      long records,
      boolean ours) {
    this.color = color;
    this.uid = uid;
    this.madeFor = madeFor;
    this.spec = spec;
    this.startsFrom = startsFrom;
    this.records = records;
    this.ours = ours;
  }

  void apply(long generation, ModelSpec next) {
    if (generation == madeFor && next.sameAs(spec)) {
      return;
    }
    madeFor = generation;
    spec = next;
    busy = 1;
    broken = null;
  }

  /** Its session cluster gets the job. */
  void start(@Nullable String from, long state) {
    hasJob = true;
    startsFrom = from;
    records = state;
    busy = 1;
  }

  /** Whether its job may process something, now or by itself later. */
  boolean mayRun() {
    return hasJob
        && !(phase() instanceof Phase.Suspended
            || phase() instanceof Phase.Finished
            || phase() instanceof Phase.Failed);
  }

  void resume() {
    spec = spec.running(true);
    busy = 1;
    broken = null;
  }

  void suspend() {
    spec = spec.running(false);
    busy = 1;
    broken = null;
  }

  /** Time passes for its own lane. */
  void settles() {
    busy = Math.max(0, busy - 1);
  }

  /** Its job processes. */
  void works() {
    if (phase() instanceof Phase.Ready) {
      records++;
    }
  }

  boolean stands() {
    return phase() instanceof Phase.Ready
        || phase() instanceof Phase.Suspended
        || phase() instanceof Phase.Finished;
  }

  Phase phase() {
    if (broken != null) {
      return broken;
    }
    if (busy > 0) {
      return new Phase.Busy("its operation is at work");
    }
    if (!hasJob) {
      return new Phase.Prepared();
    }
    if (!spec.running()) {
      return new Phase.Suspended(state());
    }
    return switch (spec.works()) {
      case FAILS -> new Phase.Failed("its job has failed");
      case NEVER -> new Phase.Busy("its job is not up");
      case FINISHES -> new Phase.Finished(null);
      default -> new Phase.Ready("job-" + uid, 1);
    };
  }

  /** What its job left, or null when it never ran. */
  @Nullable String state() {
    return records == 0 ? null : "left-" + uid + "-" + records;
  }

  boolean passesGates() {
    return spec.works() != Works.NOT_THROUGH_GATES && spec.works() != Works.FAILS_AT_GATES;
  }

  ChildSeen seen() {
    return new ChildSeen(
        color,
        uid,
        ours,
        false,
        madeFor,
        startsFrom,
        phase(),
        session ? new Shape.Session(hasJob) : new Shape.Application(),
        spec.running() || !hasJob);
  }

  @Override
  public String toString() {
    return "%s %s of generation %d, image %d, from %s, %s"
        .formatted(color, uid, madeFor, spec.image(), startsFrom, phase());
  }
}
