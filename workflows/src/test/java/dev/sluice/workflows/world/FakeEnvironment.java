package dev.sluice.workflows.world;

import dev.sluice.workflows.cluster.AwaitJobManagerRequest;
import dev.sluice.workflows.cluster.ClusterActivities;
import dev.sluice.workflows.cluster.CreateClusterRequest;
import dev.sluice.workflows.cluster.DeleteClusterRequest;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.FrozenTarget;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.ClusterSeen;
import dev.sluice.workflows.resource.Observation.JobSeen;
import dev.sluice.workflows.resource.ObserveRequest;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.resource.ResourceActivities;
import dev.sluice.workflows.resource.ResourceRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A resource, its cluster and its job as one small model behind the activities. It refuses what
 * must never happen (a second job beside a living one, a cluster destroyed whose state is not
 * recorded), so every test of a workflow checks the invariants as well.
 */
public final class FakeEnvironment implements ResourceActivities, JobActivities, ClusterActivities {

  public static final ResourceRef ORDERS =
      new ResourceRef("FlinkDeployment", "default", "orders", "0a1b2c3d-4e5f");

  public final Gate gate = new Gate();
  public final List<String> calls = new CopyOnWriteArrayList<>();
  public final List<OperationReport> reports = new CopyOnWriteArrayList<>();
  public final List<StopRequest> stops = new CopyOnWriteArrayList<>();
  public final List<RecordStateRequest> records = new CopyOnWriteArrayList<>();
  public final List<String> violations = new CopyOnWriteArrayList<>();

  public volatile boolean exists = true;
  public volatile boolean deleting;
  public volatile long generation = 1;
  public volatile boolean valid = true;
  public volatile String mode = "savepoint";
  public volatile @Nullable String initialSavepoint;
  public volatile long deletionSavepointMs;
  public volatile @Nullable Long frozen;
  public volatile @Nullable String frozenMode;
  public volatile @Nullable Long stable;
  public volatile boolean upgrading;
  public volatile @Nullable String recorded;
  public volatile @Nullable Long cluster;
  public volatile @Nullable String jobId;
  public volatile @Nullable String jobState;
  public volatile boolean reachable = true;
  public volatile @Nullable String jobStateTaken;
  public volatile @Nullable String startedFrom;
  public volatile int savepoints;

  /** A world in which {@code runs} runs and is stable, and the newest spec is {@code newest}. */
  public static FakeEnvironment running(long runs, long newest) {
    FakeEnvironment world = new FakeEnvironment();
    world.generation = newest;
    world.frozen = runs;
    world.frozenMode = "savepoint";
    world.stable = runs;
    world.cluster = runs;
    world.jobId = "job-of-" + runs;
    world.jobState = "RUNNING";
    world.startedFrom = "savepoint-before";
    return world;
  }

  @Override
  public Observation observe(ObserveRequest request) {
    enter(Step.OBSERVE);
    mustExist();
    boolean present = cluster != null;
    gate.leave();
    JobSeen job =
        !present || !reachable
            ? JobSeen.UNKNOWN
            : new JobSeen(
                true,
                jobState == null ? null : jobId,
                jobState,
                Objects.equals(jobState, "RUNNING") ? 2 : 0,
                2,
                jobStateTaken);
    return new Observation(
        generation,
        deleting,
        frozen,
        frozenMode,
        stable == null,
        stable,
        upgrading,
        upgrading ? recorded : null,
        mode,
        initialSavepoint,
        deletionSavepointMs,
        "spec.image",
        new ClusterSeen(present, cluster, present ? jobId : null, present ? 2 : 0, null),
        job);
  }

  @Override
  public FrozenTarget freezeTarget(FreezeRequest request) {
    enter(Step.FREEZE_TARGET);
    mustExist();
    if (!valid) {
      return frozenAs(false, frozen == null ? 0 : frozen);
    }
    frozen = generation;
    frozenMode = mode;
    upgrading = true;
    if (!request.keepState()) {
      recorded = null;
    }
    gate.leave();
    return frozenAs(true, generation);
  }

  @Override
  public void recordState(RecordStateRequest request) {
    enter(Step.RECORD_STATE);
    mustExist();
    records.add(request);
    recorded = request.path();
    gate.leave();
  }

  @Override
  public void markStable(OperationReport report) {
    enter(Step.MARK_STABLE);
    mustExist();
    stable = frozen;
    upgrading = false;
    reports.add(report);
    gate.leave();
  }

  @Override
  public FrozenTarget freezeStable(OperationReport report) {
    enter(Step.FREEZE_TARGET);
    mustExist();
    if (stable == null) {
      return frozenAs(false, 0);
    }
    frozen = stable;
    upgrading = !report.state().equals("Aborted");
    reports.add(report);
    return frozenAs(true, stable);
  }

  @Override
  public void report(OperationReport report) {
    enter(Step.REPORT);
    mustExist();
    reports.add(report);
  }

  @Override
  public StateTaken stopWithSavepoint(StopRequest request) {
    enter(Step.STOP_WITH_SAVEPOINT);
    stops.add(request);
    if (!Objects.equals(jobState, "FINISHED")) {
      savepoints++;
      jobState = "FINISHED";
      jobStateTaken = "savepoint-of-" + cluster;
    }
    gate.leave();
    return new StateTaken(jobStateTaken, "savepoint in 0.1 s");
  }

  @Override
  public StateTaken cancelJob(CancelRequest request) {
    enter(Step.CANCEL_JOB);
    jobState = "CANCELED";
    return new StateTaken(jobStateTaken, "newest checkpoint");
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    enter(Step.AWAIT_RUNNING);
    jobState = "RUNNING";
    gate.leave();
    return new RunningJob(request.jobId(), 2, request.restoredFrom());
  }

  @Override
  public void deleteCluster(DeleteClusterRequest request) {
    enter(Step.DELETE_CLUSTER);
    boolean stateful = cluster != null && "savepoint".equals(mode) && stable != null;
    if (stateful && !request.everything() && recorded == null) {
      violations.add("the cluster of generation " + cluster + " was deleted without its state");
    }
    cluster = null;
    jobId = null;
    jobState = null;
    jobStateTaken = null;
    gate.leave();
  }

  @Override
  public void createCluster(CreateClusterRequest request) {
    enter(Step.CREATE_CLUSTER);
    mustExist();
    if (cluster != null && !Objects.equals(jobId, request.jobId())) {
      violations.add("a second cluster was made beside that of generation " + cluster);
    }
    cluster = request.generation();
    jobId = request.jobId();
    jobState = "CREATED";
    startedFrom = request.restoreFrom();
    gate.leave();
  }

  @Override
  public void awaitJobManager(AwaitJobManagerRequest request) {
    enter(Step.AWAIT_JOB_MANAGER);
    gate.leave();
  }

  /** A failure that the engine does not retry. */
  public static ApplicationFailure failure(String type, String message) {
    return ApplicationFailure.newNonRetryableFailure(message, type);
  }

  private void enter(Step step) {
    calls.add(step.title());
    gate.pass(step);
  }

  private void mustExist() {
    if (!exists) {
      throw failure(FailureType.RESOURCE_GONE, "FlinkDeployment default/orders does not exist");
    }
  }

  private FrozenTarget frozenAs(boolean isValid, long of) {
    String problem = isValid ? null : "spec.job.parallelism: must be at least 1, is 0";
    return new FrozenTarget(
        isValid, problem, of, mode, 300_000, 600_000, "flink:2.2, parallelism 2");
  }
}
