package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation.Deployed;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds observations for the planner's tables. The old job is {@code old} (generation 6), the job
 * of the new spec (generation 7) is {@code new}.
 */
final class Seen extends SeenParts {
  /** Generation 6 runs and is stable; 7 is the newest. */
  static Seen stable() {
    return new Seen();
  }

  /** Generation 7 is frozen; nothing was recorded yet, and the old job's cluster is there. */
  static Seen begun() {
    Seen seen = new Seen();
    seen.phase = Phase.UPGRADING;
    seen.frozen = spec(7);
    seen.sameAsFrozen = true;
    return seen;
  }

  /** The old job's state is recorded, and its cluster is gone. */
  static Seen recorded() {
    Seen seen = begun();
    seen.recorded = new RestorePoint(new StateRef.Savepoint("s3://sp-6"), OLD, NEW);
    return seen.noCluster();
  }

  /** The cluster of the new job is there. */
  static Seen started() {
    Seen seen = recorded();
    seen.present = true;
    seen.generation = 7L;
    seen.jobId = NEW;
    seen.prepared = NEW;
    return seen;
  }

  /** Nothing was ever deployed. */
  static Seen fresh() {
    Seen seen = new Seen();
    seen.frozen = null;
    seen.stable = null;
    seen.present = false;
    seen.generation = null;
    seen.jobId = null;
    seen.prepared = null;
    seen.job = new NeverStarted("nothing was ever deployed");
    return seen;
  }

  /** What is decided for the newest spec. */
  Decision decide(boolean patient, boolean retry) {
    return new UpgradePlanner(build(), target(), new Tried(patient, retry, null, null)).decide();
  }

  Seen neverStable() {
    stable = null;
    return this;
  }

  Seen mode(UpgradeMode other) {
    mode = other;
    return this;
  }

  Seen initial(@Nullable String path) {
    initial = path;
    return this;
  }

  /** The job of generation 6 was suspended with generation 7; what it left is recorded. */
  static Seen suspended() {
    Seen seen = recorded();
    seen.phase = Phase.IDLE;
    seen.frozen = spec(7).withSuspended(true);
    seen.stable = 7L;
    seen.sameAsFrozen = false;
    seen.newestGeneration = 8;
    return seen;
  }

  /** The newest spec says that no job is to run. */
  Seen toBeSuspended() {
    suspended = true;
    return this;
  }

  Seen rollingBack() {
    phase = Phase.ROLLING_BACK;
    return this;
  }

  Seen idle() {
    phase = Phase.IDLE;
    return this;
  }

  Seen noCluster() {
    present = false;
    generation = null;
    jobId = null;
    job = new Unreachable("the JobManager Deployment is missing", OLD);
    return this;
  }

  /** The cluster of that job is there. */
  Seen with(String job) {
    present = true;
    generation = job.equals(OLD) ? 6L : 7L;
    jobId = job;
    return this;
  }

  /** The newest generation. */
  Seen generation(long newest) {
    newestGeneration = newest;
    return this;
  }

  Seen prepared(@Nullable String job) {
    prepared = job;
    return this;
  }

  Seen recordedEmpty() {
    recorded = new RestorePoint(StateRef.Empty.STATELESS, OLD, NEW);
    return this;
  }

  Seen jobManager(JobManager evidence) {
    jobManager = evidence;
    return this;
  }

  Seen ha(HighAvailability evidence) {
    ha = evidence;
    return this;
  }

  /** No process of the JobManager runs. */
  Seen processStopped() {
    stopped = true;
    return this;
  }

  /** The newest spec keeps high-availability files elsewhere. */
  Seen otherStore() {
    options = options.withHighAvailabilityStore("KUBERNETES in s3://elsewhere");
    return this;
  }

  Seen up(String id) {
    job = alive(id, FlinkJobState.RUNNING, 2, 0, 2);
    return this;
  }

  Seen tasks(String id, int running, int finished, int total) {
    job = alive(id, FlinkJobState.RUNNING, running, finished, total);
    return this;
  }

  Seen state(String id, FlinkJobState state) {
    job = alive(id, state, 0, 0, 2);
    return this;
  }

  /** The job is alive and its newest state is this, completed by itself. */
  Seen newest(StateRef newest) {
    return newest(newest, true);
  }

  Seen newest(StateRef newest, boolean progressed) {
    if (job instanceof Alive it) {
      job = copy(it, newest, progressed, it.keepsCheckpoints(), it.times());
    } else if (job instanceof Ended it) {
      job = new Ended(it.jobId(), it.state(), newest, progressed);
    }
    return this;
  }

  /** It waits for slots: an adaptive scheduler tells neither tasks nor checkpoints of it. */
  Seen waiting(String id) {
    job = alive(id, FlinkJobState.CREATED, 0, 0, 0);
    return newest(new StateRef.Empty("the job started without state"), false);
  }

  /** The same, and it had some before. */
  Seen waitingAgain(String id) {
    return waiting(id).newest(new StateRef.Unknown("Flink does not tell"), true);
  }

  Seen retention(Retention retention) {
    Alive it = (Alive) job;
    job = copy(it, it.newest(), it.progressed(), retention, it.times());
    return this;
  }

  Seen ended(String id, FlinkJobState state) {
    job = new Ended(id, state, new StateRef.Empty("no checkpoint"), false);
    return this;
  }

  Seen absent(@Nullable String id) {
    job = new Absent(id);
    return this;
  }

  Seen unreachable() {
    job = new Unreachable("the JobManager does not answer", jobId);
    return this;
  }

  Seen otherJobs(String... ids) {
    others = List.of(ids);
    return this;
  }

  /** FlinkSessionJobs run these, which are among the other jobs. */
  Seen sessionJobs(String... ids) {
    sessionJobs = List.of(ids);
    return this;
  }

  /** Savepoints of these jobs on the session cluster are in progress. */
  Seen savepointsOf(String... ids) {
    savepoints = List.of(ids);
    return this;
  }

  /** The session cluster that runs the job waits until it is suspended. */
  Seen clusterGoes() {
    clusterGoes = true;
    return this;
  }

  Seen sameAsStable() {
    sameAsStable = true;
    sameAsFrozen = false;
    return this;
  }

  Seen sameAsFrozenAndStable() {
    sameAsFrozen = true;
    sameAsStable = true;
    return this;
  }

  Seen sameAsFrozen(boolean same) {
    sameAsFrozen = same;
    return this;
  }

  /** The newest spec is one of a session cluster; so is what was frozen. */
  Seen session() {
    session = true;
    frozen = frozen == null ? null : Target.session(frozen.generation(), version, options);
    return this;
  }

  /** {@code savepointRedeployNonce} has changed. */
  Seen redeploying(@Nullable String path) {
    redeploys = true;
    return initial(path);
  }

  Seen restoreFrom(String choice) {
    restoreFrom = choice;
    return this;
  }

  /** The newest spec has another Flink version than the one that runs. */
  Seen version(FlinkVersion newest) {
    version = newest;
    return this;
  }

  /** The spec that the cluster was made from is not known. */
  Seen deployedUnknown() {
    deployed = null;
    return this;
  }

  /** No directory for savepoints is configured. */
  Seen noSavepointDirectory() {
    deployed = new Deployed(FlinkVersion.V2_2, false, null);
    return this;
  }

  /** High availability is on, in the spec that runs and in the newest, with a checkpoint. */
  Seen highlyAvailable() {
    ha = HighAvailability.CHECKPOINT;
    options = options.withHighAvailability(true);
    return this;
  }

  /** The newest spec switches high availability off. */
  Seen toNoHighAvailability() {
    options = options.withHighAvailability(false);
    return this;
  }

  /** The frozen spec is of that generation. */
  Seen frozenAt(long generationOfIt) {
    frozen = spec(generationOfIt);
    return this;
  }

  /** The cluster was made for that generation. */
  Seen generationOfCluster(long madeFor) {
    generation = madeFor;
    return this;
  }

  /** {@code last-state-fallback.enabled} is false. */
  Seen noFallback() {
    options = options.withFallsBack(false);
    return this;
  }

  /** {@code last-state.job-cancel.enabled} is false. */
  Seen noCancel() {
    options = options.withCancels(false);
    return this;
  }

  /** {@code last-state.max.allowed.checkpoint.age} is that many minutes. */
  Seen maxCheckpointAge(int minutes) {
    options = options.withMaxCheckpointAgeMs(Duration.ofMinutes(minutes).toMillis());
    return this;
  }

  /** So many minutes ago each; 0 for never. */
  Seen ages(int job, int checkpoint, int pending) {
    this.job =
        at(
            (Alive) this.job,
            new JobObservation.Times(NOW, ago(job), ago(checkpoint), ago(pending), 0, 0));
    return this;
  }

  /** Every task of the new job was up, and the operation waits until it is stable. */
  Seen wasUp() {
    recorded = recorded.up(NEW);
    return this;
  }

  /** The old job goes on from its metadata. */
  Seen recordedMetadata() {
    recorded = new RestorePoint(new StateRef.HaMetadata(OLD), OLD, OLD);
    return this;
  }
}
