package dev.sluice.workflows.fake;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.api.common.StableAfter;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.ClusterActivities.HeldDeletion;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.CancelRequest;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The state of a {@link FakeEnvironment}, as a test sets it and looks at it. */
abstract class FakeState {

  public final Gate gate = new Gate();
  public final List<String> calls = new CopyOnWriteArrayList<>();
  public final List<OperationReport> reports = new CopyOnWriteArrayList<>();
  public final List<OperationReport> answers = new CopyOnWriteArrayList<>();
  public final List<StopRequest> stops = new CopyOnWriteArrayList<>();
  public final List<CancelRequest> cancels = new CopyOnWriteArrayList<>();

  /** Trigger ids of all stops, those that failed included. */
  public final List<String> triggers = new CopyOnWriteArrayList<>();

  public final List<RestorePoint> records = new CopyOnWriteArrayList<>();
  public final List<String> violations = new CopyOnWriteArrayList<>();

  public volatile boolean exists = true;
  public volatile boolean deleting;
  public volatile long generation = 1;
  public volatile @Nullable String problem;

  /** What only the worker that freezes finds wrong: its default configuration is another one. */
  public volatile @Nullable String problemAtFreeze;

  public volatile UpgradeMode mode = UpgradeMode.SAVEPOINT;
  public volatile @Nullable String initialSavepoint;
  public volatile @Nullable String restoreFrom;

  /** What the status says of a stop whose outcome is not recorded. */
  public volatile @Nullable PendingStop pendingStop;

  public volatile long deletionSavepointMs;
  public volatile boolean rollsBack;

  /** The stable spec is stateless. */
  public volatile boolean afterStateless;

  /** What must be so before a job counts as stable; null when every task being up is enough. */
  public volatile @Nullable StableAfter stableAfter;

  /** The generation that a person goes back to; null when none is kept. */
  public volatile @Nullable Long revision;

  /** That generation is named beside the request, and is another one than the last stable. */
  public volatile boolean goesFurther;

  /** What the job of that generation left; null when the newest state is asked for. */
  public volatile @Nullable StateRef revisionLeft;

  /** The {@code flinkVersion} of each generation; 2.2 where none is said. */
  public final Map<Long, FlinkVersion> versions = new ConcurrentHashMap<>();

  /** Generations whose specs say that no job is to run. */
  public final Set<Long> suspended = ConcurrentHashMap.newKeySet();

  /** Generations whose specs say the same in all that matters. */
  public volatile long sameFrom = Long.MAX_VALUE;

  /** A generation whose spec says the same as that of generation 6. */
  public volatile long sameAsSix = 6;

  public volatile @Nullable Long frozen;
  public volatile @Nullable UpgradeMode frozenMode;
  public volatile @Nullable Long stable;
  public volatile Phase phase = Phase.IDLE;
  public volatile @Nullable RestorePoint recorded;
  public volatile @Nullable RecoveryStatus recovery;

  /** The sentences that were written into the status, each once. */
  public final Set<String> plans = Collections.synchronizedSet(new LinkedHashSet<>());

  /** The steps that follow a freeze, as it has told them. */
  public final List<String> frozenFor = new CopyOnWriteArrayList<>();

  /** The savepoints that were told to be an operation's own, in order. */
  public final List<String> taken = new CopyOnWriteArrayList<>();

  public volatile @Nullable Long cluster;
  public volatile @Nullable String jobId;
  public volatile @Nullable String preparedJobId;
  public volatile JobManager jobManager = JobManager.MAY_HAVE_RUN;
  public volatile HighAvailability highAvailability = HighAvailability.OFF;
  public volatile @Nullable FlinkJobState jobState;
  public volatile Tasks tasks = new Tasks(2, 0, 2);
  public volatile boolean reachable = true;
  public volatile StateRef newest = new StateRef.Empty("no checkpoint");
  public volatile boolean progressed;
  public volatile JobObservation.Times times = JobObservation.Times.UNKNOWN;
  public volatile StateOptions options = StateOptions.DEFAULT;

  /** It is a session cluster, with jobs of those ids. */
  public volatile boolean session;

  public final List<String> otherJobs = new CopyOnWriteArrayList<>();

  /** Those of FlinkSessionJobs among them. */
  public final List<String> sessionJobs = new CopyOnWriteArrayList<>();

  /** What holds a session cluster at {@code SuspendSessionJobs}. */
  public volatile HeldDeletion leaving = HeldDeletion.NOTHING;

  /** Of a job on a session cluster: that waits until the job is suspended. */
  public volatile boolean clusterGoes;

  /** The last request to note the end of a job. */
  public volatile @Nullable NoteEndRequest noted;

  /** The last request to stop a JobManager. */
  public volatile @Nullable StopJobManagerRequest stopped;

  /** The last request to delete a cluster. */
  public volatile @Nullable DeleteClusterRequest deleted;

  public volatile @Nullable StateRef startedFrom;
  public volatile int savepoints;

  /** A step begins: noted, and held or failed as the test asks for. */
  final void enter(Step step) {
    calls.add(step.title());
    gate.pass(step);
  }

  final void mustExist() {
    if (!exists) {
      throw FakeEnvironment.failure(
          FailureType.RESOURCE_GONE, "FlinkDeployment default/orders does not exist");
    }
  }

  static void outdatedUnless(boolean fits, String why) {
    if (!fits) {
      throw FakeEnvironment.failure(FailureType.OUTDATED, why);
    }
  }
}
