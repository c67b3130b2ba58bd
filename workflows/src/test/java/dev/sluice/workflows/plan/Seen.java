package dev.sluice.workflows.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.PendingStop;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Absent;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.JobObservation.NeverStarted;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.JobObservation.Tasks;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.JobObservation.Unreachable;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Deployed;
import dev.sluice.workflows.model.Observation.Newest;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.GoalPlanner.Tried;
import dev.sluice.workflows.plan.GoalPlanner.Wanted;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is seen of a resource, and what was tried before, in words: {@code started ha=OFF
 * newest=checkpoint:s3://c,false}. The first word is where it stands; each of the others is a
 * method or a field of this class, with its arguments or value; {@code ~} is a blank. The old job
 * is {@code old} (generation 6), the job of the new spec (generation 7) is {@code new}.
 */
final class Seen {

  static final String OLD = "old";
  static final String NEW = "new";

  private static final long NOW = Duration.ofDays(20_000).toMillis();
  private static final ObjectMapper JSON = new ObjectMapper();

  UpgradeMode mode = UpgradeMode.SAVEPOINT;
  @Nullable String initial;
  @Nullable Target frozen = spec(6);
  @Nullable Long stableGeneration = 6L;
  Phase phase = Phase.IDLE;
  @Nullable RestorePoint recorded;
  @Nullable PendingStop pendingStop;

  /** The newest spec says that no job is to run. */
  boolean suspends;

  boolean session;
  @Nullable String jobId = OLD;
  @Nullable String prepared = OLD;
  boolean present = true;

  /** Pods that still terminate although their Deployment is gone. */
  int podsLeft;

  /** No process of the JobManager runs. */
  boolean stopped;

  /** That the cluster was made for. */
  @Nullable Long clusterGeneration = 6L;

  JobManager jobManager = JobManager.MAY_HAVE_RUN;
  HighAvailability ha = HighAvailability.OFF;
  JobObservation job = alive(OLD, FlinkJobState.RUNNING, 2, 0, 2);
  List<String> otherJobs = List.of();

  /** FlinkSessionJobs run these, which are among the other jobs. */
  List<String> sessionJobs = List.of();

  /** Savepoints of these jobs on the session cluster are in progress. */
  List<String> savepoints = List.of();

  /** The session cluster that runs the job waits until it is suspended. */
  boolean clusterGoes;

  /** The newest one. */
  long generation = 7;

  boolean sameAsFrozen;
  boolean sameAsStable;
  @Nullable String restoreFrom;

  /** {@code savepointRedeployNonce} has changed. */
  boolean redeploys;

  StateOptions options = StateOptions.DEFAULT;

  /** That of the newest spec; {@code V2_2} runs. */
  FlinkVersion version = FlinkVersion.V2_2;

  /** Null: the spec that the cluster was made from is not known. */
  @Nullable Deployed deployed = new Deployed(FlinkVersion.V2_2, true, null);

  /** The observation did not wait for things to settle. */
  boolean impatient;

  boolean retry;
  @Nullable String failedStop;
  @Nullable String lostJob;

  /** Of a run with that goal; null: for the newest spec, whatever the run has to reach. */
  @Nullable Wanted goal;

  /** The job runs on the session cluster of another resource. */
  boolean onSessionCluster;

  /** A session cluster is taken down. */
  boolean takenDown;

  static Seen of(String words) {
    Seen seen = null;
    for (String word : words.split(" ")) {
      int at = word.indexOf('=');
      String[] texts = at < 0 ? new String[0] : word.substring(at + 1).split(",");
      try {
        Object result = apply(seen, at < 0 ? word : word.substring(0, at), texts);
        seen = result instanceof Seen next ? next : seen;
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(word, e);
      }
    }
    return Objects.requireNonNull(seen);
  }

  private static @Nullable Object apply(@Nullable Seen seen, String name, String... texts)
      throws ReflectiveOperationException {
    for (Method method : Seen.class.getDeclaredMethods()) {
      if (method.getName().equals(name)
          && method.getParameterCount() == texts.length
          && Modifier.isStatic(method.getModifiers()) == (seen == null)) {
        Object[] values = new Object[texts.length];
        Arrays.setAll(values, i -> value(method.getParameterTypes()[i], texts[i]));
        return method.invoke(seen, values);
      }
    }
    Field field = Seen.class.getDeclaredField(name);
    field.set(
        seen,
        field.getType() == List.class
            ? List.of(texts)
            : value(field.getType(), texts.length == 0 ? "true" : texts[0]));
    return seen;
  }

  private static @Nullable Object value(Class<?> type, String text) {
    if (text.equals("null")) {
      return null;
    }
    if (type == StateRef.class) {
      return state(text);
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .filter(it -> ((Enum<?>) it).name().equals(text))
            .findAny()
            .orElseThrow()
        : JSON.convertValue(text.replace('~', ' '), type);
  }

  private static StateRef state(String text) {
    String path = text.substring(text.indexOf(':') + 1);
    return switch (text.split(":")[0]) {
      case "savepoint" -> new StateRef.Savepoint(path);
      case "checkpoint" -> new StateRef.Checkpoint(path);
      case "stateless" -> StateRef.Empty.STATELESS;
      case "empty" -> new StateRef.Empty("the job completed none");
      default -> new StateRef.Unknown("Flink does not tell");
    };
  }

  /** Generation 6 runs and is stable; 7 is the newest. */
  static Seen stable() {
    return new Seen();
  }

  /** The same, with {@code upgradeMode: last-state}. */
  static Seen lastState() {
    Seen seen = stable();
    seen.mode = UpgradeMode.LAST_STATE;
    return seen;
  }

  /** The same, with high availability. */
  static Seen available() {
    return lastState().highlyAvailable();
  }

  /** Generation 7 is frozen; nothing was recorded yet, and the old job's cluster is there. */
  static Seen begun() {
    Seen seen = new Seen();
    seen.phase = Phase.UPGRADING;
    seen.frozen = spec(7);
    seen.sameAsFrozen = true;
    return seen;
  }

  /** The old job is to go on from its metadata; its cluster is still there. */
  static Seen leaving() {
    return begun().highlyAvailable().recordedMetadata();
  }

  /** The cluster of the new spec runs the same job. */
  static Seen goneOn() {
    Seen seen = leaving();
    seen.clusterGeneration = 7L;
    return seen.unreachable();
  }

  /** The old job's state is recorded, and its cluster is gone. */
  static Seen recorded() {
    Seen seen = begun();
    return seen.recordedState(new StateRef.Savepoint("s3://sp-6")).noCluster();
  }

  /** The cluster of the new job is there. */
  static Seen started() {
    Seen seen = recorded();
    seen.present = true;
    seen.clusterGeneration = 7L;
    seen.jobId = NEW;
    seen.prepared = NEW;
    return seen;
  }

  /** The same, and there is a newer spec. */
  static Seen startedBefore() {
    Seen seen = started();
    seen.sameAsFrozen = false;
    seen.generation = 8;
    return seen;
  }

  /**
   * {@code initialSavepointPath} is corrected after a first deployment, whose job was started:
   * generation 7 named {@code s3://first}, and 8 names another.
   */
  static Seen firstStarted() {
    return startedBefore().first();
  }

  /** The same, and the first deployment was aborted; its cluster is gone. */
  static Seen firstGivenUp() {
    Seen seen = recorded();
    seen.prepared = OLD;
    seen.generation = 8;
    return seen.first();
  }

  private Seen first() {
    StateRef first = new StateRef.Savepoint("s3://first");
    stableGeneration = null;
    sameAsFrozen = true;
    initial = "s3://corrected";
    frozen =
        new Target(7, mode, first.pathOrNull(), version, StateOptions.DEFAULT, false, false, false);
    recorded = new RestorePoint(first, null, NEW).initial(first, true);
    return this;
  }

  /** The job of generation 6 was suspended with generation 7; what it left is recorded. */
  static Seen suspended() {
    Seen seen = recorded();
    seen.phase = Phase.IDLE;
    seen.frozen = spec(7).withSuspended(true);
    seen.stableGeneration = 7L;
    seen.sameAsFrozen = false;
    seen.generation = 8;
    return seen;
  }

  /** The same, and it left its metadata only. */
  static Seen leftToMetadata() {
    return suspended().highlyAvailable().recordedMetadata();
  }

  /** A session cluster runs, its JobManager answers, and it has no job. */
  static Seen idleSession() {
    return stable().absent(OLD).session();
  }

  /** The same, with high availability. */
  static Seen availableSession() {
    Seen seen = stable().absent(OLD).highlyAvailable();
    seen.ha = HighAvailability.NO_METADATA;
    return seen.session();
  }

  /** Nothing was ever deployed. */
  static Seen fresh() {
    Seen seen = new Seen();
    seen.frozen = null;
    seen.stableGeneration = null;
    seen.present = false;
    seen.clusterGeneration = null;
    seen.jobId = null;
    seen.prepared = null;
    seen.job = new NeverStarted("nothing was ever deployed");
    return seen;
  }

  Seen noCluster() {
    present = false;
    clusterGeneration = null;
    jobId = null;
    job = new Unreachable("the JobManager Deployment is missing", OLD);
    return this;
  }

  /** The cluster of that job is there. */
  Seen with(String job) {
    present = true;
    clusterGeneration = job.equals(OLD) ? 6L : 7L;
    jobId = job;
    return this;
  }

  Seen recordedState(StateRef state) {
    recorded = new RestorePoint(state, OLD, NEW);
    return this;
  }

  /** The first deployment started from it. */
  Seen recordedInitial(StateRef state) {
    recorded = new RestorePoint(state, OLD, NEW).initial(state, true);
    return this;
  }

  /** The old job goes on from its metadata. */
  Seen recordedMetadata() {
    recorded = new RestorePoint(new StateRef.HaMetadata(OLD), OLD, OLD);
    return this;
  }

  /** A run that was lost has recorded another job in place of the new one. */
  Seen replacedBy(String another) {
    recorded = recorded.again(NEW, another);
    return this;
  }

  /** Every task of the new job was up, and the operation waits until it is stable. */
  Seen wasUp() {
    recorded = recorded.up(NEW);
    return this;
  }

  /** The newest spec is frozen. */
  Seen frozenAsNewest() {
    frozen = target();
    return this;
  }

  /** The frozen spec is of that generation. */
  Seen frozenAt(long generationOfIt) {
    frozen = spec(generationOfIt);
    return this;
  }

  /** The job was perhaps stopped already. */
  Seen stopping() {
    pendingStop = new PendingStop(OLD, null, null);
    return this;
  }

  /** The newest spec keeps high-availability files elsewhere. */
  Seen otherStore() {
    options = options.withHighAvailabilityStore("KUBERNETES in s3://elsewhere");
    return this;
  }

  Seen up(String id) {
    return tasks(id, 2, 0, 2);
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

  Seen sameAsStable() {
    sameAsStable = true;
    sameAsFrozen = false;
    return this;
  }

  /** The newest spec is one of a session cluster; so is what was frozen. */
  Seen session() {
    session = true;
    frozen = frozen == null ? null : Target.session(frozen.generation(), version, options);
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

  /** {@code ignore-pending-savepoint} is true. */
  Seen ignorePendingSavepoint() {
    options = options.withIgnoresSavepoints(true);
    return this;
  }

  /** {@code last-state.max.allowed.checkpoint.age} is that many minutes. */
  Seen maxCheckpointAge(int minutes) {
    options = options.withMaxCheckpointAgeMs(Duration.ofMinutes(minutes).toMillis());
    return this;
  }

  /** So many minutes ago each; 0 for never. */
  Seen ages(int begun, int checkpoint, int pending) {
    job = at((Alive) job, new Times(NOW, ago(begun), ago(checkpoint), ago(pending), 0, 0));
    return this;
  }

  /** A savepoint of the job is in progress. */
  Seen savepointInProgress() {
    job = at((Alive) job, new Times(NOW, 0, 0, 0, 0, NOW - 1_000));
    return this;
  }

  private static long ago(int minutes) {
    return minutes == 0 ? 0 : NOW - Duration.ofMinutes(minutes).toMillis();
  }

  private static Target spec(long generation) {
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

  static Alive at(Alive it, Times times) {
    return copy(it, it.newest(), it.progressed(), it.keepsCheckpoints(), times);
  }

  private static Alive copy(
      Alive it, StateRef newest, boolean progressed, Retention keeps, Times times) {
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
        Times.UNKNOWN);
  }

  private Target target() {
    return session
        ? Target.session(generation, version, options)
        : new Target(generation, mode, initial, version, options, suspends, false, false)
            .withRedeploys(redeploys);
  }

  /** What is decided. */
  Decision decide() {
    Observation seen = build();
    Tried tried = new Tried(!impatient, retry, failedStop, lostJob);
    if (takenDown) {
      return UpgradePlanner.takeDown(seen, retry);
    }
    return goal == null
        ? new UpgradePlanner(seen, target(), tried).decide()
        : new GoalPlanner(onSessionCluster).plan(goal, seen, tried).decision();
  }

  Observation build() {
    return new Observation(
        false,
        new Newest(target(), null, sameAsFrozen, sameAsStable, restoreFrom),
        frozen,
        stableGeneration,
        phase,
        0,
        false,
        null,
        phase == Phase.IDLE && !(frozen != null && frozen.suspended()) ? null : recorded,
        new ClusterObservation(
            new ClusterRef("default", "orders"),
            present,
            clusterGeneration,
            jobId,
            prepared,
            jobManager,
            ha,
            present ? 2 : podsLeft,
            null,
            stopped),
        job,
        otherJobs,
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
