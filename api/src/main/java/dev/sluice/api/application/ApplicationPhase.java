package dev.sluice.api.application;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Where an application is, in Lyft's words: what an operation does, or how the last one has ended.
 */
public enum ApplicationPhase {
  /** Nothing was begun yet. */
  NEW(""),

  /** A version is frozen, and its cluster is being made. */
  UPDATING("Updating"),

  /** The cluster that runs gets more TaskManagers. */
  RESCALING("Rescaling"),

  /** The new cluster, or its new TaskManagers, are waited for. The old job runs untouched. */
  CLUSTER_STARTING("ClusterStarting"),

  /**
   * A savepoint of the old job is being taken. Except in mode BlueGreen, the job may be stopped
   * from now on.
   */
  SAVEPOINTING("Savepointing"),

  /** The old job is being cancelled: it may be stopped from now on. */
  CANCELLING("Cancelling"),

  /** No savepoint could be taken, or the job was lost: its newest state is looked for. */
  RECOVERING("Recovering"),

  /** State and job id are recorded, and the job is being started and waited for. */
  SUBMITTING_JOB("SubmittingJob"),

  /** The deployed version runs, and nothing is being done. */
  RUNNING("Running"),

  /** The new job has failed, and the old one is started again on its own cluster. */
  ROLLING_BACK_JOB("RollingBackJob"),

  /** The last deployment has failed. The version before it runs, if there was one. */
  DEPLOY_FAILED("DeployFailed"),

  /** Two versions run, until one is torn down. */
  DUAL_RUNNING("DualRunning"),

  /** The application is being deleted. */
  DELETING("Deleting");

  private final String wire;

  ApplicationPhase(String wire) {
    this.wire = wire;
  }

  /** The spelling in manifests and in JSON. */
  @JsonValue
  public String wire() {
    return wire;
  }

  /** Whether no operation is begun and unfinished. */
  public boolean isSettled() {
    return this == NEW || this == RUNNING || this == DEPLOY_FAILED || this == DUAL_RUNNING;
  }

  @Override
  public String toString() {
    return wire;
  }
}
