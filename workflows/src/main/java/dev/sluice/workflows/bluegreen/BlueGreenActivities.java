package dev.sluice.workflows.bluegreen;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceRequest;
import dev.sluice.workflows.model.ResourceRef;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow asks of a FlinkBlueGreenDeployment and its children, which are FlinkDeployments
 * with lanes of their own: this lane writes their resources and watches their status, and does
 * nothing in Flink but ask it for the gates. Every method may be called again at any time with the
 * same arguments.
 *
 * <p>Each effect fails with {@code Outdated} when the status does not stand as it was planned for,
 * or the child is not the one that was seen; with {@code NameTaken} when a resource of that name is
 * not of this parent.
 */
@ActivityInterface
public interface BlueGreenActivities {

  /**
   * Looks at the parent and its children, by the API server and not by a cache.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code ResourceGone}
   */
  @ActivityMethod(name = "ObserveBlueGreen")
  BlueGreenSeen observe(ResourceRef resource);

  /**
   * Begins a transition: validates the newest spec, renders the new child, sends it as a
   * server-side dry run, and writes the transition into the status with the state of Apache's
   * operator ({@code INITIALIZING_BLUE}, {@code SAVEPOINTING_…} or {@code TRANSITIONING_TO_…}).
   * Begun already: answers the same again. One that was begun for an earlier generation, and whose
   * child is not live yet, is replaced.
   */
  @ActivityMethod(name = "BeginTransition")
  Begin begin(BeginRequest request);

  /**
   * Asks for a savepoint of the live job, which runs on, with a FlinkStateSnapshot that the parent
   * owns and whose name follows from the transition; waits until it is taken, and writes its path
   * into the status in the same activity, before it answers.
   */
  @ActivityMethod(name = "TakeTransitionSavepoint")
  Taken takeSavepoint(SavepointRequest request);

  /**
   * Stops the live job by its own resource, so that the new one starts from where it stopped:
   * writes that into the status, has {@code job.state} say suspended, waits until the child is, and
   * writes what it left into the status, before it answers. Fails with {@code Outdated} unless the
   * child that comes is a session cluster that is ready and has slots at that moment. Nothing is
   * taken back when it fails: the next look decides.
   */
  @ActivityMethod(name = "StopLive")
  Taken stopLive(SavepointRequest request);

  /**
   * Has the live job run again that {@link #stopLive} has stopped, from what it left. Fails with
   * {@code Outdated} when the child that comes has a job, or may still get one.
   */
  @ActivityMethod(name = "ResumeLive")
  void resumeLive(ChildRequest request);

  /**
   * Applies the newest template as a child: creates it, or changes the one that was seen. Of a
   * child that another transition left the spec is not changed, unless none is live, or the live
   * one is gone and this one starts from the same path: it has to be deleted first. Of an
   * exactly-once cut-over it is a session cluster, and its job is written only once what that
   * starts from is known and the live job is stopped, with that very state: otherwise the cluster
   * alone is, or it fails with {@code Outdated} where that is there already.
   */
  @ActivityMethod(name = "ApplyChild")
  void applyChild(ChildRequest request);

  /**
   * Waits until the child has reached its newest spec: {@code Ready}, {@code Suspended}, {@code
   * Finished} or {@code Failed}; at the deadline, when it is gone, or when the old job of an
   * exactly-once cut-over may run next to it, answers what is.
   */
  @ActivityMethod(name = "AwaitChild")
  Awaited awaitChild(AwaitChildRequest request);

  /**
   * Waits until the new job is through the gates of the spec; answers at the deadline, too, and
   * when the old job of an exactly-once cut-over may run next to it.
   */
  @ActivityMethod(name = "AwaitGates")
  Gate awaitGates(AwaitChildRequest request);

  /**
   * Makes the child live in the status, so that the controller points the Ingress at it, or back.
   * Fails with {@code Outdated} unless it is up at that moment: ready, finished, or suspended where
   * the spec says so; and while the old job of an exactly-once cut-over may run. Live already:
   * answers.
   */
  @ActivityMethod(name = "SwitchLive")
  void switchLive(SwitchRequest request);

  /** Waits until the Ingress, if the spec wants one, points at the live child. */
  @ActivityMethod(name = "AwaitIngress")
  void awaitIngress(AwaitChildRequest request);

  /** Sets {@code job.state} of the child to suspended. */
  @ActivityMethod(name = "SuspendChild")
  void suspendChild(ChildRequest request);

  /**
   * Deletes the child that was seen, and waits until it is gone. Gone already, or another one is
   * there: answers. Unless the parent is being deleted, it fails with {@code Outdated} when the
   * child is the live one, and, after the switch, when the live one is not up at that moment.
   */
  @ActivityMethod(name = "DeleteChild")
  void deleteChild(AwaitChildRequest request);

  /**
   * The newest spec is reached, or the transition is given up: writes {@code lastReconciledSpec}
   * only in the first case, ends the transition, if one was begun, and the operation, all in one
   * write. A spec can be reached without a transition: a change in place. After that the live child
   * of an exactly-once cut-over which goes back is written once more, so that a {@link #stopLive}
   * of which nobody waits any more is taken back, or refused.
   */
  @ActivityMethod(name = "EndTransition")
  void end(EndRequest request);

  /** Writes {@code status.operation} only, and an event when {@code report.event} is set. */
  @ActivityMethod(name = "ReportBlueGreen")
  void report(OperationReport report);

  /**
   * @param report what to write into {@code status.operation}; its target is the generation that
   *     was planned for
   * @param plannedFor how the status stood
   * @param to the child that comes
   * @param source where the state of its job comes from
   * @param known with {@link BlueGreenStanding.Source#KNOWN}: the path
   * @param atMs when it begins, by Temporal's clock, ms since the epoch
   */
  record BeginRequest(
      OperationReport report,
      BlueGreenStanding plannedFor,
      Color to,
      BlueGreenStanding.Source source,
      @Nullable String known,
      long atMs)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param resource the parent
   * @param plannedFor how the status stood
   * @param live uid of the child whose job it is
   * @param deadlineMs when to give up, ms since the epoch
   */
  record SavepointRequest(
      ResourceRef resource, BlueGreenStanding plannedFor, String live, long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param resource the parent
   * @param plannedFor how the status stood
   * @param generation of the parent that the child is made for
   * @param color which child
   * @param seen uid of the child as it was seen; null when there was none
   */
  record ChildRequest(
      ResourceRef resource,
      BlueGreenStanding plannedFor,
      long generation,
      Color color,
      @Nullable String seen)
      implements ResourceRequest {}

  /**
   * @param resource the parent
   * @param plannedFor how the status stood
   * @param generation of the parent that the child was made for
   * @param color which child
   * @param seen uid of the child as it was seen; null where it was just created
   * @param deadlineMs when to give up, ms since the epoch
   */
  record AwaitChildRequest(
      ResourceRef resource,
      BlueGreenStanding plannedFor,
      long generation,
      Color color,
      @Nullable String seen,
      long deadlineMs)
      implements ResourceRequest {}

  /**
   * @param report what to write into {@code status.operation}
   * @param plannedFor how the status stood
   * @param live the child that becomes live
   * @param atMs when it does, by Temporal's clock, ms since the epoch
   */
  record SwitchRequest(OperationReport report, BlueGreenStanding plannedFor, Color live, long atMs)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /**
   * @param report what to write into {@code status.operation}, with its event
   * @param plannedFor how the status stood
   * @param reached whether the newest spec, of the generation of the report, is reached; otherwise
   *     it is given up
   */
  record EndRequest(OperationReport report, BlueGreenStanding plannedFor, boolean reached)
      implements ResourceRequest {
    @Override
    @JsonIgnore
    public ResourceRef resource() {
      return report.resource();
    }
  }

  /** What became of the begin of a transition. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Begin.Begun.class, name = "Begun"),
    @JsonSubTypes.Type(value = Begin.Changed.class, name = "Changed"),
    @JsonSubTypes.Type(value = Begin.Invalid.class, name = "Invalid")
  })
  sealed interface Begin {
    /**
     * It is in the status.
     *
     * @param standing how the status stands now
     */
    record Begun(BlueGreenStanding standing) implements Begin {}

    /**
     * The newest spec is another one: observe again.
     *
     * @param generation of the newest spec
     */
    record Changed(long generation) implements Begin {}

    /**
     * The spec cannot be deployed; nothing was written.
     *
     * @param problem why, with the field's path
     */
    record Invalid(String problem) implements Begin {}
  }

  /** What became of the savepoint of a transition. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Taken.At.class, name = "At"),
    @JsonSubTypes.Type(value = Taken.Stopped.class, name = "Stopped"),
    @JsonSubTypes.Type(value = Taken.Failed.class, name = "Failed")
  })
  sealed interface Taken {
    /**
     * It is in the status.
     *
     * @param path where it is
     */
    record At(String path) implements Taken {}

    /** The live job is stopped, and the new one starts from something else. */
    record Stopped() implements Taken {}

    /**
     * It was not taken: it failed, its job is gone, or it took too long.
     *
     * @param why in words
     */
    record Failed(String why) implements Taken {}
  }

  /**
   * @param child as it is now; null when it does not exist
   */
  record Awaited(@Nullable ChildSeen child) {}

  /**
   * @param passed whether the job is through all gates
   * @param what which gate it is through, or at: in words
   * @param failed whether it can not pass any more: the child has failed or is gone
   */
  record Gate(boolean passed, String what, boolean failed) {}
}
