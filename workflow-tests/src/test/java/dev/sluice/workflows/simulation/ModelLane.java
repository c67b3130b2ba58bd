package dev.sluice.workflows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lane of one resource on a simulated Temporal, and its controller.
 *
 * @param <M> the resource
 */
public abstract class ModelLane<M extends LaneModel> {

  private static final int ENDLESS = 600;
  private static final int MOST_STARTS = 20;

  protected final M model;
  private final SimulatedTemporal temporal;
  private final ResourceRef ref;
  private final String forward;
  private final String delete;
  private final List<String> ended = new ArrayList<>();
  private int starts;
  private int askedAt;

  /**
   * @param activities what the model carries out
   * @param forward the workflow type that a retry starts
   * @param delete the workflow type of a deletion
   */
  protected ModelLane(
      WorkflowWorker workflows,
      M model,
      Class<?> activities,
      ResourceRef ref,
      String forward,
      String delete) {
    this.model = model;
    this.ref = ref;
    this.forward = forward;
    this.delete = delete;
    this.temporal =
        new SimulatedTemporal(
            workflows, new ActivityWorker(model, activities), ref.laneId(), ended::add);
    model.clock = temporal::now;
  }

  public final SimulatedTemporal temporal() {
    return temporal;
  }

  /** The runs that have ended by themselves. */
  public final List<String> ended() {
    return ended;
  }

  // ---- what people and the controller do ----

  /** Something has happened: that the run saw nothing new before does not count. */
  public final void looksAnew() {
    askedAt = model.steps.size();
  }

  /** The run is told to try again, or is started to. */
  public final void retry() {
    looksAnew();
    model.retryAsked = true;
    temporal.signalWithStart(forward, input("retry").withRetry(true), LaneSignals.RETRY);
  }

  public void abort() {
    looksAnew();
    temporal.signal(LaneSignals.ABORT, "enough");
  }

  public final void delete() {
    looksAnew();
    model.deleting = true;
    temporal.signalWithStart(delete, input("deleted"), LaneSignals.DELETE);
  }

  /** The spec has changed while a run may be open. */
  protected final void changed() {
    looksAnew();
    temporal.signal(LaneSignals.RETARGET, model.generation);
  }

  /** As the controller does as soon as the spec asks for something. */
  protected final void start(String type) {
    temporal.signalWithStart(type, input("wanted"), LaneSignals.RETARGET, model.generation);
  }

  private OperationInput input(String why) {
    return OperationInput.of(ref, model.generation, why);
  }

  /**
   * A fault of Temporal, or of whoever carries a call out.
   *
   * @return false where the name is of something else
   */
  public final boolean fault(String name) {
    switch (name) {
      case "CRASH", "FAIL_LONG" -> throw ApplicationFailure.newFailure("connection reset", "IO");
      case "TWICE" -> model.twice = true;
      case "ONCE_MORE" -> model.onceMore = true;
      case "TERMINATE" -> {
        boolean unused = temporal.terminate();
      }
      case "FORGET" -> temporal.forget();
      case "HISTORY_IS_LONG" -> temporal.historyIsLong();
      case "DELETE_BY_HAND" -> temporal.signal(LaneSignals.DELETE);
      case "RETARGET_BY_HAND" -> temporal.signal(LaneSignals.RETARGET, 99L);
      default -> {
        return false;
      }
    }
    return true;
  }

  // ---- runs ----

  public final @Nullable OperationProgress progress() {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  public final boolean isOpen() {
    return temporal.status() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  /**
   * Does what the controller does, and lets the runs go on until nothing is to be done, or a run is
   * held and sees nothing new.
   */
  public final void untilRest() {
    while (controller()) {
      if (!untilClosed()) {
        return;
      }
    }
  }

  /** Lets the run that is open go on to its end; false when it is held. */
  public final boolean untilClosed() {
    while (isOpen()) {
      assertThat(temporal.step()).as("something is due after %s", model.steps).isTrue();
      afterStep();
      assertThat(model.steps.size()).as("comes to an end: %s", tail()).isLessThan(ENDLESS);
      if (isOpen() && isHeld(model.steps.subList(askedAt, model.steps.size()))) {
        return false;
      }
    }
    assertThat(temporal.status())
        .as("after %s", model.steps)
        .isNotEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_FAILED);
    return true;
  }

  private List<String> tail() {
    int size = model.steps.size();
    return model.steps.subList(Math.max(0, size - 30), size);
  }

  /** Whether the run is held now, and sees nothing new. */
  public final boolean isHeld() {
    return isOpen() && isHeld(model.steps.subList(askedAt, model.steps.size()));
  }

  /**
   * Whether the run is held, and has looked again and again without seeing anything new.
   *
   * @param steps since something has happened
   */
  protected abstract boolean isHeld(List<String> steps);

  /** The operation that the controller starts; null for none. */
  protected abstract @Nullable String wanted();

  /** The run has done something. */
  protected void afterStep() {}

  /** The finalizer is gone. */
  protected void removed() {}

  /** False when nothing is needed. */
  private boolean controller() {
    assertThat(++starts).as("starts of runs: %s", tail()).isLessThan(MOST_STARTS);
    if (!model.exists) {
      return isOpen();
    }
    if (model.deleting) {
      if (model.isRemoved()) {
        model.exists = false;
        removed();
        return isOpen();
      }
      delete();
      return true;
    }
    String type = wanted();
    if (type == null) {
      return isOpen();
    }
    start(type);
    return true;
  }
}
