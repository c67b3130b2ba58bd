package dev.sluice.workflows.environment;

import dev.sluice.workflows.environment.JobShape.Start;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The JobManager pod of a Deployment, with the TaskManagers it asked for: it lives until its pods
 * are gone, which is later than its Deployment.
 */
final class JobManagerProcess {

  private static final int START_TICKS = 2;
  private static final int BACK_OFF_TICKS = 4;

  /** What becomes of it. */
  enum Phase {
    /** No container runs: no image, no room. */
    PENDING,
    /** The process runs and does not answer yet. */
    STARTING,
    /** It answers. */
    UP,
    /** It ended; Kubernetes starts it again after a back-off. */
    CRASHED
  }

  /** What Flink keeps in Kubernetes about a job, with high availability. */
  static final class HaMetadata {
    private @Nullable Snapshot checkpoint;
    private @Nullable Spec graph;
    private boolean ended;
    private int required;

    @Nullable Snapshot checkpoint() {
      return checkpoint;
    }

    /** The next JobManager of the job makes its graph anew. */
    void forgetGraph() {
      graph = null;
      required = 0;
    }

    boolean ended() {
      return ended;
    }
  }

  /** Who is told when it runs its job. */
  interface Listener {
    void jobBegins(JobManagerProcess process, FlinkJob job);
  }

  final String jobId;
  Spec spec;
  final StateRef startsFrom;
  private final StateStorage storage;
  private final Map<String, HaMetadata> metadata;
  private final Listener listener;
  private Phase phase = Phase.PENDING;
  private int remaining;
  private int podsGoneIn = -1;
  private boolean everReady;
  private boolean silent;
  private boolean taskManagers;
  private @Nullable FlinkJob job;
  private @Nullable FlinkJob ended;
  private @Nullable FlinkJob before;
  private int incarnations;
  private @Nullable BooleanSupplier hostIsUp;

  JobManagerProcess(
      String jobId,
      Spec spec,
      StateRef startsFrom,
      StateStorage storage,
      Map<String, HaMetadata> metadata,
      Listener listener) {
    this.jobId = jobId;
    this.spec = spec;
    this.startsFrom = startsFrom;
    this.storage = storage;
    this.metadata = metadata;
    this.listener = listener;
    this.taskManagers = !spec.content().contains(ClusterEffects.STANDALONE);
  }

  /** Time passes. */
  void tick(boolean healed) {
    if (podsGoneIn > 0) {
      podsGoneIn--;
      if (podsGoneIn == 0) {
        end();
        return;
      }
    }
    switch (phase) {
      case PENDING -> {
        if (hostIsUp == null && (healed || spec.shape().start() != Start.IMAGE_MISSING)) {
          begin();
        }
      }
      case STARTING -> {
        if (--remaining <= 0) {
          started();
        }
      }
      case CRASHED -> {
        if (--remaining <= 0 && podsGoneIn < 0 && begins()) {
          begin();
        }
      }
      case UP -> {
        if (job != null) {
          job.taskManagers(taskManagers);
          job.tick(healed);
          keepMetadata(job);
          if (job.endsItsProcess()) {
            crash();
          }
        }
      }
    }
  }

  /** It is the life of one job on a session cluster, which begins when Flink takes the job. */
  void hostedWhile(BooleanSupplier up) {
    hostIsUp = up;
  }

  /** Flink takes the job. */
  void accept() {
    started();
  }

  /** Its session cluster ends. */
  void crashWithItsHost() {
    if (phase == Phase.UP || phase == Phase.STARTING) {
      crash();
    }
  }

  /** What is not there now comes back by itself. */
  boolean isInMetadata() {
    HaMetadata known = metadata.get(jobId);
    return spec.shape().highAvailability() && known != null && !known.ended;
  }

  private boolean begins() {
    return hostIsUp == null || (isInMetadata() && hostIsUp.getAsBoolean());
  }

  private void begin() {
    phase = Phase.STARTING;
    remaining = START_TICKS;
  }

  private void started() {
    Snapshot rendered = storage.find(startsFrom.pathOrNull());
    boolean pathIsGone = startsFrom.pathOrNull() != null && !storage.has(rendered);
    if (spec.shape().start() == Start.CRASHES || pathIsGone) {
      crash();
      return;
    }
    if (SessionModel.is(spec)) {
      phase = Phase.UP;
      everReady = true;
      return;
    }
    Snapshot from = rendered;
    Spec runs = spec;
    int required = RescaleEffects.parallelism(spec);
    if (spec.shape().highAvailability()) {
      HaMetadata known = metadata.computeIfAbsent(jobId, id -> new HaMetadata());
      if (known.ended) {
        phase = Phase.UP;
        everReady = true;
        job = null;
        return;
      }
      from = known.checkpoint == null ? rendered : known.checkpoint;
      runs = known.graph == null ? spec : known.graph;
      known.graph = runs;
      required = known.required == 0 ? required : known.required;
    }
    if (startsFrom instanceof StateRef.HaMetadata && from == null) {
      // the path that stands for the metadata does not exist
      crash();
      return;
    }
    phase = Phase.UP;
    everReady = true;
    job = new FlinkJob(jobId, runs, ++incarnations, from, storage);
    job.startWith(required);
    job.beginsAgainAfter(ended);
    listener.jobBegins(this, job);
  }

  /** What its job has completed or left is in its metadata at once. */
  void keepMetadata() {
    if (job != null) {
      keepMetadata(job);
    }
  }

  private void keepMetadata(FlinkJob of) {
    HaMetadata known = metadata.get(jobId);
    if (known != null && spec.shape().highAvailability()) {
      known.checkpoint = of.newestEver();
      known.required = of.required();
      known.ended = of.state().isGloballyTerminal();
    }
  }

  /** What it is told when it starts again; with high availability the job graph says the same. */
  void configuredAs(Spec now) {
    spec = now;
    HaMetadata known = metadata.get(jobId);
    if (known != null && known.graph != null) {
      known.graph = now;
    }
    if (job != null) {
      job.spec = now;
    }
  }

  /** The process ends, and Kubernetes starts it again after a while. */
  void crash() {
    if (job != null) {
      boolean done = job.stoppedWith() != null || job.finishedByItself();
      ended = done ? job : ended;
      before = job;
      job.endProcess();
      job = null;
    }
    phase = Phase.CRASHED;
    remaining = BACK_OFF_TICKS;
  }

  /** Its pods are to go; until then it runs on. */
  void terminate(int ticks) {
    if (podsGoneIn < 0) {
      podsGoneIn = ticks;
    }
  }

  void end() {
    podsGoneIn = 0;
    if (job != null) {
      job.endProcess();
    }
  }

  boolean gone() {
    return podsGoneIn == 0;
  }

  int pods() {
    return gone() || hostIsUp != null ? 0 : phase == Phase.UP ? 3 : 1;
  }

  Phase phase() {
    return phase;
  }

  /** It works, and answers nobody any more. */
  void fallSilent() {
    silent = true;
  }

  boolean hasTaskManagers() {
    return taskManagers;
  }

  void taskManagers(boolean there) {
    taskManagers = there;
    if (job != null) {
      job.taskManagers(there);
    }
  }

  boolean answers() {
    return phase == Phase.UP && !silent;
  }

  boolean everReady() {
    return everReady;
  }

  @Nullable FlinkJob job() {
    return job;
  }

  /** The same job within the life before of the process; null in its first one. */
  @Nullable FlinkJob jobBefore() {
    return before;
  }
}
