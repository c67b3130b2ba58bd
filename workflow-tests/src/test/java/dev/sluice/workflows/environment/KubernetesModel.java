package dev.sluice.workflows.environment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.environment.JobManagerProcess.HaMetadata;
import dev.sluice.workflows.environment.JobManagerProcess.Phase;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.ClusterObservation.JobManager;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Kubernetes objects of one cluster, and the pods that run because of them. */
final class KubernetesModel {

  private static final int GRACE_TICKS = 3;

  /**
   * A JobManager Deployment.
   *
   * @param ownerUid uid of the resource that it belongs to
   * @param jobId annotation: the job that it was made for
   * @param spec what it was rendered from
   * @param process its pods; null when it is scaled to none
   */
  record Deployment(String ownerUid, String jobId, Spec spec, @Nullable JobManagerProcess process) {
    /** Annotation: the generation that it was made for. */
    long generation() {
      return spec.generation();
    }
  }

  /** Annotation: with what the job of that stable spec ran before it was scaled in place. */
  record RescaledFrom(String jobId, long generation, int parallelism) {}

  /** The ConfigMap of the cluster. */
  record Configuration(String ownerUid, String jobId) {}

  final Map<String, HaMetadata> metadata = new LinkedHashMap<>();
  final SessionModel session = new SessionModel();
  private final List<JobManagerProcess> processes = new ArrayList<>();
  private final StateStorage storage;
  private final JobManagerProcess.Listener listener;
  private @Nullable Deployment deployment;
  private @Nullable Configuration configuration;
  private boolean metadataDeletedByHand;
  @Nullable RescaledFrom rescaledFrom;

  KubernetesModel(StateStorage storage, JobManagerProcess.Listener listener) {
    this.storage = storage;
    this.listener = listener;
  }

  void tick(boolean healed) {
    List.copyOf(processes).forEach(process -> process.tick(healed));
    session.tick(processes);
    processes.removeIf(JobManagerProcess::gone);
  }

  @Nullable Deployment deployment() {
    return deployment;
  }

  @Nullable Configuration configuration() {
    return configuration;
  }

  void configure(String ownerUid, String jobId) {
    configuration = new Configuration(ownerUid, jobId);
  }

  void removeConfiguration() {
    configuration = null;
  }

  Deployment create(String ownerUid, Spec spec, String jobId, StateRef from) {
    JobManagerProcess process =
        new JobManagerProcess(jobId, spec, from, storage, metadata, listener);
    processes.add(process);
    deployment = new Deployment(ownerUid, jobId, spec, process);
    return deployment;
  }

  /** Whether its TaskManagers can come; in native mode the JobManager sees to that. */
  boolean hasTaskManagers() {
    return deployment == null
        || deployment.process() == null
        || deployment.process().hasTaskManagers();
  }

  /** Their Deployment is made, or goes by itself. */
  void taskManagers(boolean there) {
    if (deployment != null && deployment.process() != null) {
      deployment.process().taskManagers(there);
    }
  }

  /** The Deployment goes at once, with that of its TaskManagers; its pods go later. */
  void deleteDeployment() {
    if (deployment != null && deployment.process() != null) {
      deployment.process().terminate(GRACE_TICKS);
    }
    deployment = null;
    rescaledFrom = null;
  }

  /** What is there says that it was made from that spec. */
  void madeFrom(Spec spec) {
    Deployment now = deployment;
    if (now != null) {
      deployment = new Deployment(now.ownerUid(), now.jobId(), spec, now.process());
      if (now.process() != null) {
        now.process().configuredAs(spec);
      }
    }
  }

  /**
   * Whether the job of the Deployment has ended for good. One that has failed counts where Flink
   * remembers that.
   */
  boolean hasEndedForGood() {
    JobManagerProcess process = answering();
    FlinkJob job = process == null ? null : process.job();
    if (job == null || deployment == null) {
      return false;
    }
    boolean failedForGood =
        deployment.spec().shape().highAvailability()
            && !deployment.spec().content().contains(ResourceEffects.RESTARTS_FAILED);
    return job.state() == FlinkJobState.FINISHED
        || (job.state() == FlinkJobState.FAILED && failedForGood);
  }

  /** What a Deployment of that job carries on, gone or not. */
  List<JobManagerProcess> processes() {
    return List.copyOf(processes);
  }

  int pods() {
    return processes.stream().mapToInt(JobManagerProcess::pods).sum();
  }

  List<FlinkJob> liveJobs() {
    return processes.stream()
        .map(JobManagerProcess::job)
        .filter(job -> job != null && job.live())
        .toList();
  }

  /** The process that a Service would reach; null when nothing answers. */
  @Nullable JobManagerProcess answering() {
    JobManagerProcess process = deployment == null ? null : deployment.process();
    return process != null && process.answers() ? process : null;
  }

  /** Whether the metadata of a job has a checkpoint that it can go on from. */
  boolean hasCheckpoint(String jobId) {
    return highAvailability(true, jobId) == HighAvailability.CHECKPOINT;
  }

  /**
   * @param available whether high availability is on in the spec that the cluster was made from
   */
  ClusterObservation observation(ClusterRef ref, String uid, boolean available) {
    Deployment own = deployment != null && deployment.ownerUid().equals(uid) ? deployment : null;
    return new ClusterObservation(
        ref,
        own != null,
        own == null ? null : own.generation(),
        own == null ? null : own.jobId(),
        configuration == null ? null : configuration.jobId(),
        jobManager(own),
        highAvailability(available, own == null ? prepared() : own.jobId()),
        pods(),
        problem(own),
        isStopped(own));
  }

  /**
   * What is observed of the job of a Deployment.
   *
   * @param process of it, when it answers
   * @param end of its job, as the status says; null as long as it does not
   */
  static JobObservation job(
      Deployment own, @Nullable JobManagerProcess process, @Nullable Ended end, boolean healed) {
    FlinkJob job = process == null ? null : process.job();
    boolean remembered = own.spec().shape().highAvailability();
    if (end != null && job == null && remembered && end.jobId().equals(own.jobId())) {
      return end;
    }
    if (process == null) {
      return new JobObservation.Unreachable("the JobManager does not answer", own.jobId());
    }
    return job == null ? new JobObservation.Absent(own.jobId()) : job.observation(healed);
  }

  private static boolean isStopped(@Nullable Deployment own) {
    JobManagerProcess process = own == null ? null : own.process();
    return process == null || process.phase() == Phase.PENDING || process.phase() == Phase.CRASHED;
  }

  private static JobManager jobManager(@Nullable Deployment own) {
    JobManagerProcess process = own == null ? null : own.process();
    if (process == null) {
      return JobManager.MAY_HAVE_RUN;
    }
    if (!process.everReady()) {
      return JobManager.NEVER_READY;
    }
    return process.phase() == Phase.CRASHED ? JobManager.CRASHING : JobManager.MAY_HAVE_RUN;
  }

  /** Somebody deletes all of it. */
  void loseMetadata() {
    metadata.clear();
    session.forget();
    metadataDeletedByHand = true;
  }

  /** Whether somebody has deleted what is recorded: no operator can help it. */
  boolean hasLostMetadataFor(@Nullable RestorePoint recorded) {
    return metadataDeletedByHand
        && recorded != null
        && recorded.isSameJob()
        && !metadata.containsKey(recorded.startedJob());
  }

  private @Nullable String prepared() {
    return configuration == null ? null : configuration.jobId();
  }

  private HighAvailability highAvailability(boolean on, @Nullable String jobId) {
    if (!on) {
      return HighAvailability.OFF;
    }
    HaMetadata known = jobId == null ? null : metadata.get(jobId);
    if (known == null || known.ended()) {
      return HighAvailability.NO_METADATA;
    }
    return known.checkpoint() == null
        ? HighAvailability.NO_CHECKPOINT
        : HighAvailability.CHECKPOINT;
  }

  private static @Nullable String problem(@Nullable Deployment own) {
    JobManagerProcess process = own == null ? null : own.process();
    if (process == null) {
      return null;
    }
    return switch (process.phase()) {
      case PENDING -> "pod jobmanager: ImagePullBackOff";
      case CRASHED -> "pod jobmanager: CrashLoopBackOff";
      case STARTING, UP -> null;
    };
  }
}
