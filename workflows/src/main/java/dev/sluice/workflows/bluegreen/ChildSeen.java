package dev.sluice.workflows.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.api.bluegreen.Color;
import org.jspecify.annotations.Nullable;

/**
 * What a child FlinkDeployment says of itself.
 *
 * @param color which child
 * @param uid distinguishes it from a later one of the same name
 * @param ours whether it is owned by this parent; another one of that name is never touched
 * @param deleting whether it is being deleted
 * @param madeFor generation of the parent that its spec was written for; 0 when it does not say
 * @param startsFrom what its spec says that its first job starts from; null when nothing
 * @param phase how far it is, of its newest spec
 * @param shape what it consists of
 * @param toldToRun whether its spec says that its job runs, and not that it is suspended
 */
public record ChildSeen(
    Color color,
    String uid,
    boolean ours,
    boolean deleting,
    long madeFor,
    @Nullable String startsFrom,
    Phase phase,
    Shape shape,
    boolean toldToRun) {

  /** An application cluster. */
  public ChildSeen(
      Color color,
      String uid,
      boolean ours,
      boolean deleting,
      long madeFor,
      @Nullable String startsFrom,
      Phase phase) {
    this(
        color,
        uid,
        ours,
        deleting,
        madeFor,
        startsFrom,
        phase,
        new Shape.Application(),
        !(phase instanceof Phase.Suspended));
  }

  /** Whether it has a job, running or not: a session cluster may still have none. */
  @JsonIgnore
  public boolean hasJob() {
    return !(shape instanceof Shape.Session session) || session.hasJob();
  }

  /** Whether nothing of it runs a job, or will by itself. */
  @JsonIgnore
  public boolean isStopped() {
    return !hasJob()
        || phase instanceof Phase.Finished
        || (phase instanceof Phase.Suspended && !toldToRun);
  }

  /** Whether its job runs or may come to: it is told to, and has not ended. */
  @JsonIgnore
  public boolean mayRun() {
    return hasJob() && toldToRun && !isStopped();
  }

  /** What a child consists of. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Shape.Application.class, name = "Application"),
    @JsonSubTypes.Type(value = Shape.Session.class, name = "Session")
  })
  public sealed interface Shape {
    /** A FlinkDeployment with a job. */
    record Application() implements Shape {}

    /**
     * A FlinkDeployment without one, and a FlinkSessionJob on it.
     *
     * @param hasJob whether that exists
     */
    record Session(boolean hasJob) implements Shape {}
  }

  /** The same, made for that generation. */
  public ChildSeen withMadeFor(long generation) {
    return new ChildSeen(
        color, uid, ours, deleting, generation, startsFrom, phase, shape, toldToRun);
  }

  /** The same, that far. */
  public ChildSeen withPhase(Phase reached) {
    return new ChildSeen(
        color, uid, ours, deleting, madeFor, startsFrom, reached, shape, toldToRun);
  }

  /** How far a child is with its newest spec: what its own conditions and operation say. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Phase.Busy.class, name = "Busy"),
    @JsonSubTypes.Type(value = Phase.Ready.class, name = "Ready"),
    @JsonSubTypes.Type(value = Phase.Suspended.class, name = "Suspended"),
    @JsonSubTypes.Type(value = Phase.Finished.class, name = "Finished"),
    @JsonSubTypes.Type(value = Phase.Prepared.class, name = "Prepared"),
    @JsonSubTypes.Type(value = Phase.Held.class, name = "Held"),
    @JsonSubTypes.Type(value = Phase.Failed.class, name = "Failed")
  })
  public sealed interface Phase {

    /**
     * Its operation goes on, or its controller has not looked at its newest spec yet, or its job is
     * not up for the moment.
     *
     * @param what in words
     */
    record Busy(String what) implements Phase {}

    /**
     * Its newest spec is stable, and its job runs with every task.
     *
     * @param jobId the job
     * @param sinceMs since when, ms since the epoch, as its conditions say
     */
    record Ready(String jobId, long sinceMs) implements Phase {}

    /**
     * Its newest spec is suspended, and reached.
     *
     * @param state the savepoint or checkpoint that its job left; null when none is known
     */
    record Suspended(@Nullable String state) implements Phase {}

    /**
     * Its job has FINISHED.
     *
     * @param state the savepoint that it left; null when it ended by itself
     * @param told whether that is known: of a job on a session cluster only Flink tells it
     */
    record Finished(@Nullable String state, boolean told) implements Phase {

      /** One of which it is known. */
      public Finished(@Nullable String state) {
        this(state, true);
      }

      /** What it left is not known, or was not asked. */
      public static Finished untold() {
        return new Finished(null, false);
      }
    }

    /** A session cluster without a job: it is ready, and has a slot for each subtask of one. */
    record Prepared() implements Phase {}

    /**
     * Its operation is blocked or parked: it may go on by itself, or with help.
     *
     * @param why in words
     */
    record Held(String why) implements Phase {}

    /**
     * Its spec is invalid, its job has failed permanently, or its operation was given up.
     *
     * @param why in words
     */
    record Failed(String why) implements Phase {}
  }
}
