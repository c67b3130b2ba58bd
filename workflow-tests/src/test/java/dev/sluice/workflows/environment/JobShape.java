package dev.sluice.workflows.environment;

import dev.sluice.workflows.model.JobObservation.Retention;

/**
 * How a job of a spec behaves on its cluster.
 *
 * @param start how its start goes
 * @param savepoint how a savepoint of it ends
 * @param retention what becomes of its checkpoints when it is cancelled
 * @param checkpointEvery ticks between two checkpoints; 0 for never
 * @param finishesAfter it finishes by itself after that many ticks of work; 0 for never
 * @param finishedTasks how many of its four tasks are of a bounded source that has finished
 * @param highAvailability whether Flink keeps metadata in Kubernetes
 */
public record JobShape(
    Start start,
    SavepointEnd savepoint,
    Retention retention,
    int checkpointEvery,
    int finishesAfter,
    int finishedTasks,
    boolean highAvailability) {

  /** All its tasks. */
  public static final int TASKS = 4;

  /** A job without a fault: savepoints work, a checkpoint every third tick, none is deleted. */
  public static final JobShape HEALTHY =
      new JobShape(Start.COMES_UP, SavepointEnd.COMPLETES, Retention.RETAINED, 3, 0, 0, false);

  /** How the start of a cluster goes. */
  public enum Start {
    /** Every task runs after a few ticks. */
    COMES_UP,
    /** No pod gets its image, until that is healed. */
    IMAGE_MISSING,
    /** The JobManager process ends again each time, before it answers. A defect of the spec. */
    CRASHES,
    /** Every task runs, and after a while the JobManager process ends. A defect of the spec. */
    CRASHES_LATER,
    /** The JobManager answers, the job is FAILED at once. A defect of the spec. */
    FAILS,
    /** Every task runs, and after a while the job is FAILED. A defect of the spec. */
    FAILS_LATER,
    /** Every task runs, but never for long, until that is healed. */
    KEEPS_RESTARTING,
    /** The job never gets its slots, until that is healed. */
    NO_SLOTS,
    /** The API server refuses the manifests (quota), until that is healed. */
    REFUSED
  }

  /** How a savepoint ends. */
  public enum SavepointEnd {
    /** At once. */
    COMPLETES,
    /** It takes some ticks, within the deadline. */
    TAKES_LONG,
    /** It fails, the job runs on; until that is healed. */
    FAILS,
    /** Nothing is known at the deadline; later it has completed. */
    COMPLETES_LATE,
    /** Nothing is known at the deadline; later it has failed and the job runs on. */
    FAILS_LATE
  }

  /** The same, with another start. */
  public JobShape starting(Start how) {
    return new JobShape(
        how, savepoint, retention, checkpointEvery, finishesAfter, finishedTasks, highAvailability);
  }

  /** The same, with another end of savepoints. */
  public JobShape savepointing(SavepointEnd how) {
    return new JobShape(
        start, how, retention, checkpointEvery, finishesAfter, finishedTasks, highAvailability);
  }

  /** The same; Flink deletes its checkpoints when it is cancelled. */
  public JobShape deletingCheckpoints() {
    return new JobShape(
        start,
        savepoint,
        Retention.DELETED,
        checkpointEvery,
        finishesAfter,
        finishedTasks,
        highAvailability);
  }

  /** The same, with that many ticks between two checkpoints. */
  public JobShape checkpointingEvery(int ticks) {
    return new JobShape(
        start, savepoint, retention, ticks, finishesAfter, finishedTasks, highAvailability);
  }

  /** The same; it finishes by itself after that many ticks of work. */
  public JobShape finishingAfter(int ticks) {
    return new JobShape(
        start, savepoint, retention, checkpointEvery, ticks, finishedTasks, highAvailability);
  }

  /** The same, with a bounded source that finishes at once. */
  public JobShape withFinishedTasks(int tasks) {
    return new JobShape(
        start, savepoint, retention, checkpointEvery, finishesAfter, tasks, highAvailability);
  }

  /** The same with high availability. */
  public JobShape highlyAvailable() {
    return new JobShape(
        start, savepoint, retention, checkpointEvery, finishesAfter, finishedTasks, true);
  }
}
