package dev.sluice.workflows.resource;

import org.jspecify.annotations.Nullable;

/**
 * What was seen of a resource at one moment: everything that {@code UpgradePlanner} decides from.
 *
 * @param generation {@code metadata.generation} of the newest spec
 * @param deleting the resource has a deletion timestamp
 * @param frozenGeneration the generation of {@code lastReconciledSpec}; null before the first
 *     deployment
 * @param frozenUpgradeMode the upgrade mode of the frozen spec; null before the first deployment
 * @param firstDeployment the frozen spec has never been stable and nothing ran before it
 * @param stableGeneration the generation of {@code lastStableSpec}; null when none was ever stable
 * @param upgrading {@code reconciliationStatus.state} is UPGRADING or ROLLING_BACK: an operation
 *     was begun and not finished
 * @param recordedState {@code jobStatus.upgradeSavepointPath}, only when {@code upgrading}; null
 *     when nothing is recorded
 * @param upgradeMode of the newest spec: {@code stateless}, {@code savepoint} or {@code last-state}
 * @param initialSavepointPath of the newest spec; null when not set
 * @param deletionSavepointMs how long Flink lets the savepoint take that a deletion is to begin
 *     with, in ms; 0 when the spec asks for none ({@code
 *     kubernetes.operator.job.savepoint-on-deletion}) or nothing was ever deployed
 * @param changes one line: which fields differ from the frozen spec; empty when none
 * @param cluster the cluster on Kubernetes
 * @param job the job as Flink tells it
 */
public record Observation(
    long generation,
    boolean deleting,
    @Nullable Long frozenGeneration,
    @Nullable String frozenUpgradeMode,
    boolean firstDeployment,
    @Nullable Long stableGeneration,
    boolean upgrading,
    @Nullable String recordedState,
    String upgradeMode,
    @Nullable String initialSavepointPath,
    long deletionSavepointMs,
    String changes,
    ClusterSeen cluster,
    JobSeen job) {

  /**
   * @param present the JobManager Deployment exists and is not being deleted
   * @param generation its annotation {@code sluice.dev/generation}; null when absent
   * @param jobId its annotation {@code sluice.dev/job-id}; null when absent
   * @param pods how many pods of the cluster exist, those that terminate included
   * @param problem what the pods complain of (ErrImagePull, CrashLoopBackOff ...); null when
   *     nothing
   */
  public record ClusterSeen(
      boolean present,
      @Nullable Long generation,
      @Nullable String jobId,
      int pods,
      @Nullable String problem) {}

  /**
   * @param reachable the JobManager answered
   * @param jobId the job's id; null when there is none
   * @param state Flink's job status, e.g. {@code RUNNING}; null when unknown or there is no job
   * @param tasksRunning tasks in RUNNING
   * @param tasksTotal all tasks
   * @param latestState external path of the newest completed savepoint or checkpoint of this job,
   *     or of what it was restored from; null when it has none
   */
  public record JobSeen(
      boolean reachable,
      @Nullable String jobId,
      @Nullable String state,
      int tasksRunning,
      int tasksTotal,
      @Nullable String latestState) {

    /** The JobManager did not answer: nothing is known of the job. */
    public static final JobSeen UNKNOWN = new JobSeen(false, null, null, 0, 0, null);
  }
}
