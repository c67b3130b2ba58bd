package dev.sluice.workflows.simulation;

import io.temporal.api.command.v1.ContinueAsNewWorkflowExecutionCommandAttributes;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.query.v1.WorkflowQuery;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Temporal with one workflow id. Nothing happens by itself: {@link #step} does the next thing.
 * All of it is for one thread.
 */
public final class SimulatedTemporal {

  private final DataConverter converter = DefaultDataConverter.STANDARD_INSTANCE;
  private final Agenda agenda = new Agenda();
  private final WorkflowWorker workflows;
  private final ActivityWorker activities;
  private final String workflowId;
  private final Deque<SimulatedRun.InFlight> inFlight = new ArrayDeque<>();
  private final Map<String, SimulatedRun> runsById = new HashMap<>();
  private final Consumer<String> ended;
  private @Nullable SimulatedRun newest;
  private final Server server = new Server();
  private int runs;

  /**
   * @param workflows carries out workflow tasks
   * @param activities carries out activities
   * @param workflowId which no other simulation on the same worker has; run ids follow from it
   * @param ended is told the ids of runs that come to their end by themselves
   */
  public SimulatedTemporal(
      WorkflowWorker workflows,
      ActivityWorker activities,
      String workflowId,
      Consumer<String> ended) {
    this.ended = ended;
    this.workflows = workflows;
    this.activities = activities;
    this.workflowId = workflowId;
  }

  /** Signals the run that is open, or starts one and signals it. */
  public void signalWithStart(String type, Object input, String signal, Object... arguments) {
    SimulatedRun run = open();
    if (run == null) {
      String runId = nextRunId();
      run = begin(type, payloads(input), runId, runId, "");
    }
    run.signal(signal, payloads(arguments));
  }

  /** Nothing when no run is open. */
  public void signal(String name, Object... arguments) {
    SimulatedRun run = open();
    if (run != null) {
      run.signal(name, payloads(arguments));
    }
  }

  /** Nothing when no run is open. */
  public void cancel() {
    SimulatedRun run = open();
    if (run != null) {
      run.cancel();
    }
  }

  /** Whether a run was open. */
  public boolean terminate() {
    SimulatedRun run = open();
    if (run != null) {
      run.terminate();
    }
    return run != null;
  }

  /** All runs are lost, with their histories. */
  public void lose() {
    terminate();
    runsById.clear();
    newest = null;
  }

  /** Ends of workflow tasks of the run, to which it can be {@link #reset}, in order. */
  public List<Long> resetPoints(String runId) {
    return Objects.requireNonNull(runsById.get(runId), runId).resetPoints();
  }

  /**
   * Ends the run that is open, and begins that one again from one of its {@link #resetPoints}.
   *
   * @param reapply signals and cancellations that came later are sent again
   */
  public void reset(String runId, long resetPoint, boolean reapply) {
    terminate();
    SimulatedRun base = Objects.requireNonNull(runsById.get(runId), runId);
    begun(base.resetTo(resetPoint, nextRunId(), reapply));
  }

  /** The run of the activity that asks. */
  public String runOfActivity() {
    return Objects.requireNonNull(inFlight.peek(), "no activity").runId();
  }

  /** The worker that has the open run in memory is lost. */
  public void forget() {
    SimulatedRun run = open();
    if (run != null) {
      run.forget();
    }
  }

  /** From now on the open run is told that its history is long. */
  public void historyIsLong() {
    SimulatedRun run = open();
    if (run != null) {
      run.historyIsLong();
    }
  }

  /** What the open run answers; null when none is open. */
  public <T> @Nullable T query(String name, Class<T> type) {
    SimulatedRun run = open();
    if (run != null) {
      run.carryOutTaskThatIsDue();
    }
    if (run == null || !run.isOpen()) {
      return null;
    }
    Payloads answer = run.query(WorkflowQuery.newBuilder().setQueryType(name).build());
    return converter.fromPayloads(0, Optional.of(answer), type, type);
  }

  /** Its time, ms since the epoch. */
  public long now() {
    return agenda.now();
  }

  /** How the newest run stands; null when there was none. */
  public @Nullable WorkflowExecutionStatus status() {
    return newest == null ? null : newest.status();
  }

  /** The newest run; empty when there was none. */
  public String runId() {
    return newest == null ? "" : newest.execution().getRunId();
  }

  /** Whether nobody waits any more for the activity that asks. */
  public boolean isActivityUnwanted() {
    return Objects.requireNonNull(inFlight.peek(), "no activity").unwanted().getAsBoolean();
  }

  /** Does the next thing; time passes until it is due. False when there is nothing to do. */
  public boolean step() {
    return agenda.takeNext();
  }

  /** Does all that is due now, and what follows from it at once. */
  public void settle() {
    while (agenda.takeDue()) {
      // the next one
    }
  }

  private @Nullable SimulatedRun open() {
    return newest != null && newest.isOpen() ? newest : null;
  }

  private SimulatedRun begin(
      String type, Payloads input, String runId, String firstRunId, String continuedFrom) {
    WorkflowExecution execution =
        WorkflowExecution.newBuilder().setWorkflowId(workflowId).setRunId(runId).build();
    return begun(
        new SimulatedRun(
            server, new SimulatedRun.Start(execution, type, input, firstRunId, continuedFrom)));
  }

  private SimulatedRun begun(SimulatedRun run) {
    newest = run;
    runsById.put(run.execution().getRunId(), run);
    return run;
  }

  private String nextRunId() {
    String name = workflowId + "#" + ++runs;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private Payloads payloads(Object... values) {
    return converter.toPayloads(values).orElse(Payloads.getDefaultInstance());
  }

  private final class Server implements SimulatedRun.Host {

    @Override
    public Agenda agenda() {
      return agenda;
    }

    @Override
    public WorkflowWorker workflows() {
      return workflows;
    }

    @Override
    public ActivityWorker activities() {
      return activities;
    }

    @Override
    public Deque<SimulatedRun.InFlight> inFlight() {
      return inFlight;
    }

    @Override
    public void ended(SimulatedRun run) {
      ended.accept(run.execution().getRunId());
    }

    @Override
    public SimulatedRun continued(
        SimulatedRun run, ContinueAsNewWorkflowExecutionCommandAttributes as) {
      String type = as.getWorkflowType().getName();
      return begin(
          type.isEmpty() ? run.type().getName() : type,
          as.getInput(),
          nextRunId(),
          run.firstRunId(),
          run.execution().getRunId());
    }
  }
}
