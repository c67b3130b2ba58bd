package dev.sluice.workflows.walk;

import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationProgress;
import dev.sluice.workflows.simulation.SimulatedTemporal;
import dev.sluice.workflows.walk.Lane.Event;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lane of one resource on a simulated Temporal of its own. All of it is for one thread. */
final class SimulatedLane implements Resettable {

  private final SimulatedWorker worker;
  private final SimulatedTemporal temporal;
  private @Nullable Lane lane;

  SimulatedLane(SimulatedWorker worker, ResourceRef ref) {
    this.worker = worker;
    this.temporal =
        new SimulatedTemporal(
            worker.workflows(), worker.activities(), ref.laneId(), this::runEnded);
  }

  private void runEnded(String runId) {
    if (lane != null) {
      lane.environment().note("run ended");
      lane.tell(new Event.RunEnded(runId));
    }
  }

  @Override
  public void add(Lane driven) {
    lane = driven;
    worker.add(driven);
  }

  @Override
  public void remove(Lane driven) {
    boolean unused = temporal.terminate();
    worker.remove(driven);
  }

  /** The database of Temporal is lost. */
  void lose() {
    temporal.lose();
  }

  /** What Temporal's UI shows as the current details of the open run. */
  String currentDetails() {
    return temporal
        .query("__temporal_workflow_metadata", WorkflowMetadata.class)
        .getCurrentDetails();
  }

  /** Ms since the epoch, by the clock of the simulation. */
  long now() {
    return temporal.now();
  }

  /** Does the next thing. False when there is none. */
  boolean step() {
    return temporal.step();
  }

  @Override
  public @Nullable Event goOn(Lane driven) {
    boolean unused = temporal.step();
    return driven.next();
  }

  @Override
  public void letOthersCall(Lane driven, int calls) {
    while (driven.steps().size() < calls && temporal.step()) {
      // the next thing
    }
  }

  @Override
  public void signalWithStart(
      ResourceRef ref, String operation, OperationInput input, String signal, Object... arguments) {
    temporal.signalWithStart(operation, input, signal, arguments);
  }

  @Override
  public void signal(ResourceRef ref, String name, Object... arguments) {
    temporal.signal(name, arguments);
  }

  @Override
  public void cancel(ResourceRef ref) {
    temporal.cancel();
  }

  @Override
  public @Nullable String terminate(ResourceRef ref) {
    return temporal.terminate() ? temporal.runId() : null;
  }

  @Override
  public void forget(ResourceRef ref) {
    temporal.forget();
  }

  @Override
  public void historyIsLong(ResourceRef ref) {
    temporal.historyIsLong();
  }

  @Override
  public void settle(ResourceRef ref) {
    temporal.settle();
  }

  @Override
  public boolean isActivityUnwanted(ResourceRef ref) {
    return temporal.isActivityUnwanted();
  }

  @Override
  public String runOfActivity(ResourceRef ref) {
    return temporal.runOfActivity();
  }

  @Override
  public @Nullable OperationProgress progress(ResourceRef ref) {
    return temporal.query(LaneSignals.PROGRESS, OperationProgress.class);
  }

  @Override
  public WorkflowExecutionStatus status(ResourceRef ref) {
    return Objects.requireNonNull(temporal.status(), "no run");
  }

  @Override
  public List<Long> steps(ResourceRef ref, String runId) {
    return temporal.resetPoints(runId);
  }

  @Override
  public void reset(ResourceRef ref, String runId, long event, Reapply reapply) {
    temporal.reset(runId, event, reapply == Reapply.ALL);
  }
}
