package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.environment.JobShape.SavepointEnd;
import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job within one life of its JobManager process: what Flink's REST API tells ends with it. */
final class FlinkJob {

  private static final long SAVEPOINT_TIMEOUT_MS = 600_000;
  private static final int RESTART_TICKS = 4;
  private static final int UP_AFTER = 2;
  private static final int LONG_SAVEPOINT = 5;
  private static final int PROVED_AFTER = 5;
  private static final int FAILS_AFTER = 4;

  final String jobId;
  Spec spec;
  final int incarnation;
  final @Nullable Snapshot restoredFrom;
  private final StateStorage storage;
  private final Map<String, SavepointOperation> operations = new LinkedHashMap<>();
  private final List<Snapshot> completed = new ArrayList<>();
  private FlinkJobState state = FlinkJobState.INITIALIZING;
  private int age;
  private int restartingFor;
  private int worked;
  private int workedSinceRestart;
  private long progress;
  private @Nullable Snapshot stoppedWith;
  private @Nullable Snapshot toldInstead;
  private @Nullable FlinkJob endedBefore;
  private boolean everUp;
  private boolean processEnded;
  private boolean slotsLost;
  private boolean taskManagers = true;
  private int required = 1;
  private int runsWith = 1;
  private long lostByScaling;

  FlinkJob(
      String jobId,
      Spec spec,
      int incarnation,
      @Nullable Snapshot restoredFrom,
      StateStorage storage) {
    this.jobId = jobId;
    this.spec = spec;
    this.incarnation = incarnation;
    this.restoredFrom = restoredFrom;
    this.storage = storage;
    this.progress = restoredFrom == null ? 0 : restoredFrom.progress();
  }

  /** A stop with savepoint, as long as the JobManager process lives. */
  static final class SavepointOperation {
    private final SavepointEnd end;
    private int ticksLeft;
    private @Nullable Snapshot result;
    private boolean failed;

    SavepointOperation(SavepointEnd end, int ticksLeft) {
      this.end = end;
      this.ticksLeft = ticksLeft;
    }

    boolean inProgress() {
      return result == null && !failed;
    }

    boolean failed() {
      return failed;
    }

    /** Whether it ends only after everybody who waits has given up. */
    boolean late() {
      return end == SavepointEnd.COMPLETES_LATE || end == SavepointEnd.FAILS_LATE;
    }
  }

  /** Time passes. */
  void tick(boolean healed) {
    operations.values().stream()
        .filter(SavepointOperation::inProgress)
        .filter(operation -> --operation.ticksLeft <= 0)
        .forEach(this::endOperation);
    if (!live()) {
      return;
    }
    age++;
    if (restartingFor > 0) {
      restartingFor--;
      state = restartingFor == 0 ? FlinkJobState.RUNNING : FlinkJobState.RESTARTING;
      return;
    }
    Start start = spec.shape().start();
    if (start == Start.FAILS) {
      state = FlinkJobState.FAILED;
      return;
    }
    state = FlinkJobState.RUNNING;
    if (isUp(healed)) {
      everUp = true;
      int possible = healed ? required : Math.min(required, RescaleEffects.slots(spec));
      if (runsWith != possible) {
        runsWith = possible;
        long before = progress;
        failOver();
        lostByScaling = Math.max(lostByScaling, before - progress);
        return;
      }
      work(healed);
    }
  }

  private void work(boolean healed) {
    progress++;
    worked++;
    workedSinceRestart++;
    JobShape shape = spec.shape();
    if (shape.start() == Start.FAILS_LATER && worked > FAILS_AFTER) {
      fail();
      return;
    }
    if (shape.start() == Start.KEEPS_RESTARTING && !healed && workedSinceRestart > FAILS_AFTER) {
      failOver();
      return;
    }
    if (shape.checkpointEvery() > 0 && worked % shape.checkpointEvery() == 0) {
      completeCheckpoint();
    }
    if (shape.finishesAfter() > 0 && worked >= shape.finishesAfter()) {
      finishByItself();
    }
  }

  void completeCheckpoint() {
    completed.add(
        storage.write(Snapshot.checkpoint(jobId, incarnation, completed.size() + 1, progress)));
  }

  /** A savepoint that a person takes while the job runs on. */
  void completeSavepoint() {
    completed.add(storage.write(Snapshot.savepoint(jobId, completed.size() + 1, progress)));
  }

  void finishByItself() {
    state = FlinkJobState.FINISHED;
    deleteCheckpoints();
  }

  /** A task fails: the job starts again from its newest snapshot, as Flink itself does it. */
  void failOver() {
    if (live() && everUp) {
      workedSinceRestart = 0;
      restartingFor = RESTART_TICKS;
      state = FlinkJobState.RESTARTING;
      Snapshot newest = newestEver();
      progress = newest == null ? 0 : newest.progress();
    }
  }

  /** An adaptive scheduler is to run it so, as far as there are slots. */
  void require(int parallelism) {
    required = parallelism;
  }

  /** It has a checkpoint from which little would be done again; a savepoint may be deleted. */
  boolean restartsFromRecent() {
    Snapshot newest = completed.isEmpty() ? null : completed.get(completed.size() - 1);
    return newest != null
        && !newest.savepoint()
        && storage.has(newest)
        && progress - newest.progress() <= mayBeLost();
  }

  /** Ticks of work. */
  private int mayBeLost() {
    return 2 * spec.shape().checkpointEvery();
  }

  /** More than that is done again because the parallelism has changed. */
  boolean losesByScaling() {
    return lostByScaling > mayBeLost();
  }

  /** It begins so. */
  void startWith(int parallelism) {
    required = parallelism;
    runsWith = parallelism;
  }

  int required() {
    return required;
  }

  int runsWith() {
    return runsWith;
  }

  /** It takes its JobManager with it. */
  boolean endsItsProcess() {
    return spec.shape().start() == Start.CRASHES_LATER && worked > FAILS_AFTER;
  }

  /** Its TaskManagers are gone, and none comes until that is healed. */
  void loseSlots() {
    slotsLost = true;
  }

  /** Whether a Deployment, or its JobManager, makes any. */
  void taskManagers(boolean there) {
    taskManagers = there;
  }

  void fail() {
    if (live()) {
      state = FlinkJobState.FAILED;
    }
  }

  void cancel() {
    if (live()) {
      state = FlinkJobState.CANCELED;
      operations.values().stream()
          .filter(SavepointOperation::inProgress)
          .forEach(operation -> operation.failed = true);
      if (spec.shape().retention() == Retention.DELETED) {
        deleteCheckpoints();
      }
    }
  }

  /** Begins a stop with savepoint, unless one of that trigger id was begun. */
  SavepointOperation stop(String triggerId, boolean healed) {
    return operations.computeIfAbsent(
        triggerId,
        id -> {
          SavepointEnd end = healed ? SavepointEnd.COMPLETES : spec.shape().savepoint();
          SavepointOperation operation =
              new SavepointOperation(
                  isUp(healed) ? end : SavepointEnd.FAILS,
                  end == SavepointEnd.COMPLETES || end == SavepointEnd.FAILS ? 1 : LONG_SAVEPOINT);
          return operation;
        });
  }

  /** Whether a savepoint of that request was triggered. */
  boolean knows(String triggerId) {
    return operations.keySet().stream().anyMatch(it -> it.startsWith(triggerId));
  }

  /** How many savepoints of that request have failed. */
  long failures(String triggerId) {
    return operations.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(triggerId) && entry.getValue().failed())
        .count();
  }

  private void endOperation(SavepointOperation operation) {
    boolean completes =
        operation.end != SavepointEnd.FAILS && operation.end != SavepointEnd.FAILS_LATE;
    if (!completes || !live() || restartingFor > 0) {
      operation.failed = true;
      return;
    }
    operation.result = storage.write(Snapshot.savepoint(jobId, completed.size() + 1, progress));
    deleteCheckpoints();
    completed.add(operation.result);
    stoppedWith = operation.result;
    state = FlinkJobState.FINISHED;
  }

  private void deleteCheckpoints() {
    completed.stream().filter(snapshot -> !snapshot.savepoint()).forEach(storage::delete);
  }

  /** Its JobManager process has ended: nothing of it goes on. */
  void endProcess() {
    processEnded = true;
  }

  /** It has not ended, and there is a process that carries it on. */
  boolean live() {
    return !state.isGloballyTerminal() && !processEnded;
  }

  boolean isUp(boolean healed) {
    return live() && restartingFor == 0 && age >= UP_AFTER && hasSlots(healed);
  }

  private boolean hasSlots(boolean healed) {
    return taskManagers && (healed || (!slotsLost && spec.shape().start() != Start.NO_SLOTS));
  }

  /** An adaptive scheduler tells nothing of such a job, however far it has come. */
  private boolean waitsForSlots(boolean healed) {
    boolean adaptive = spec.content().contains(ClusterEffects.REACTIVE);
    boolean ends = state == FlinkJobState.CANCELLING || state == FlinkJobState.FAILING;
    return adaptive && !ends && !hasSlots(healed);
  }

  /** It is up, and has worked for a while without a restart. */
  boolean isProved(boolean healed) {
    return isUp(healed) && workedSinceRestart >= PROVED_AFTER;
  }

  boolean everUp() {
    return everUp;
  }

  boolean processEnded() {
    return processEnded;
  }

  FlinkJobState state() {
    return state;
  }

  long progress() {
    return progress;
  }

  void beginsAgainAfter(@Nullable FlinkJob ended) {
    endedBefore = ended;
  }

  /** The same job, which had come to its end before its JobManager began it again; else null. */
  @Nullable FlinkJob endedBefore() {
    return endedBefore;
  }

  @Nullable Snapshot stoppedWith() {
    return stoppedWith;
  }

  boolean finishedByItself() {
    return state == FlinkJobState.FINISHED && stoppedWith == null;
  }

  /** Its newest state is not what another job left. */
  boolean progressed() {
    Snapshot newest = newestEver();
    return newest != null && newest.jobId().equals(jobId);
  }

  /** The newest it completed or was restored from, deleted or not; null when there is none. */
  @Nullable Snapshot newestEver() {
    return completed.isEmpty() ? restoredFrom : completed.get(completed.size() - 1);
  }

  /** The newest state as it can be told from Flink's checkpoint statistics. */
  StateRef newest() {
    if (state == FlinkJobState.FINISHED) {
      return stoppedWith != null
          ? stoppedWith.ref()
          : new StateRef.Empty("the job finished by itself");
    }
    Snapshot newest = newestEver();
    if (newest == null) {
      return new StateRef.Empty("the job completed no checkpoint");
    }
    if (storage.has(newest)) {
      return newest.ref();
    }
    Snapshot older = toldInstead;
    return older == null ? new StateRef.Unknown("Flink has deleted " + newest.path()) : older.ref();
  }

  /** Its newest state is gone, and Flink tells of this one, which is older. */
  void tellInstead(Snapshot older) {
    toldInstead = older;
  }

  JobObservation observation(boolean healed) {
    if (state.isGloballyTerminal()) {
      return new JobObservation.Ended(jobId, state, newest(), progressed());
    }
    if (waitsForSlots(healed)) {
      StateRef none = everUp ? new StateRef.Unknown("not told") : new StateRef.Empty("not told");
      return alive(FlinkJobState.CREATED, new Tasks(0, 0, 0), none, everUp);
    }
    int finished = state == FlinkJobState.RUNNING ? spec.shape().finishedTasks() : 0;
    int running = isUp(healed) ? JobShape.TASKS - finished : 0;
    int total = state == FlinkJobState.INITIALIZING ? 0 : JobShape.TASKS;
    return alive(state, new Tasks(running, finished, total), newest(), progressed());
  }

  private JobObservation alive(
      FlinkJobState told, Tasks tasks, StateRef newest, boolean progressed) {
    return new JobObservation.Alive(
        jobId,
        told,
        tasks,
        newest,
        progressed,
        spec.shape().retention(),
        SAVEPOINT_TIMEOUT_MS,
        new JobObservation.Times(0, incarnation, 0, 0, 0, 0));
  }
}
