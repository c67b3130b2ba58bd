package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Deployed;
import dev.sluice.workflows.model.Observation.Newest;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an observation of {@link Seen} is put together from. */
abstract class SeenParts {

  static final String OLD = "old";
  static final String NEW = "new";

  static final long NOW = Duration.ofDays(20_000).toMillis();

  final ClusterRef cluster = new ClusterRef("default", "orders");
  UpgradeMode mode = UpgradeMode.SAVEPOINT;
  @Nullable String initial;
  @Nullable Target frozen = spec(6);
  @Nullable Long stable = 6L;
  Phase phase = Phase.IDLE;
  @Nullable RestorePoint recorded;
  @Nullable PendingStop pendingStop;
  boolean suspended;
  boolean session;
  @Nullable String jobId = OLD;
  @Nullable String prepared = OLD;
  boolean present = true;

  /** Pods that still terminate although their Deployment is gone. */
  int podsLeft;

  boolean stopped;
  @Nullable Long generation = 6L;
  JobManager jobManager = JobManager.MAY_HAVE_RUN;
  HighAvailability ha = HighAvailability.OFF;
  JobObservation job = alive(OLD, FlinkJobState.RUNNING, 2, 0, 2);
  List<String> others = List.of();
  List<String> sessionJobs = List.of();
  List<String> savepoints = List.of();
  boolean clusterGoes;
  long newestGeneration = 7;
  boolean sameAsFrozen;
  boolean sameAsStable;
  @Nullable String restoreFrom;
  boolean redeploys;
  StateOptions options = StateOptions.DEFAULT;
  FlinkVersion version = FlinkVersion.V2_2;
  @Nullable Deployed deployed = new Deployed(FlinkVersion.V2_2, true, null);

  /** A savepoint of the job is in progress. */
  void takeSavepoint() {
    job = at((Alive) job, new JobObservation.Times(NOW, 0, 0, 0, 0, NOW - 1_000));
  }

  static Target spec(long generation) {
    return new Target(
        generation,
        UpgradeMode.SAVEPOINT,
        null,
        FlinkVersion.V2_2,
        StateOptions.DEFAULT,
        false,
        false,
        false);
  }

  static Alive at(Alive it, JobObservation.Times times) {
    return copy(it, it.newest(), it.progressed(), it.keepsCheckpoints(), times);
  }

  static Alive copy(
      Alive it, StateRef newest, boolean progressed, Retention keeps, JobObservation.Times times) {
    return new Alive(it.jobId(), it.state(), it.tasks(), newest, progressed, keeps, 600_000, times);
  }

  static Alive alive(String id, FlinkJobState state, int running, int finished, int total) {
    return new Alive(
        id,
        state,
        new Tasks(running, finished, total),
        new StateRef.Checkpoint("s3://" + id + "/chk-7"),
        true,
        Retention.RETAINED,
        600_000,
        JobObservation.Times.UNKNOWN);
  }

  static long ago(int minutes) {
    return minutes == 0 ? 0 : NOW - Duration.ofMinutes(minutes).toMillis();
  }

  Target target() {
    return session
        ? Target.session(newestGeneration, version, options)
        : new Target(newestGeneration, mode, initial, version, options, suspended, false, false)
            .withRedeploys(redeploys);
  }

  Observation build() {
    return new Observation(
        false,
        new Newest(target(), null, sameAsFrozen, sameAsStable, restoreFrom),
        frozen,
        stable,
        phase,
        0,
        false,
        null,
        phase == Phase.IDLE && !(frozen != null && frozen.suspended()) ? null : recorded,
        new ClusterObservation(
            cluster,
            present,
            generation,
            jobId,
            prepared,
            jobManager,
            ha,
            present ? 2 : podsLeft,
            null,
            stopped),
        job,
        others,
        deployed,
        0,
        null,
        null,
        sessionJobs,
        clusterGoes,
        savepoints,
        pendingStop);
  }
}
