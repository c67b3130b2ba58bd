package dev.sluice.e2e.crash;

/** The processes that are killed. */
enum Victim {
  WORKER("worker"),
  CONTROLLER("controller"),
  TEMPORAL("temporal"),
  KUBE_APISERVER("kube-apiserver"),
  JOBMANAGER("jobmanager"),
  TASKMANAGER("taskmanager");

  private final String text;

  Victim(String text) {
    this.text = text;
  }

  /** Whether one kill hits every operation that is under way. */
  boolean servesAll() {
    return this != JOBMANAGER && this != TASKMANAGER;
  }

  /**
   * Whether a job that lives through it may have failed over: Flink's leader gives up when it
   * cannot renew its lease.
   */
  boolean disturbsJobs() {
    return !servesAll() || this == KUBE_APISERVER;
  }

  /** As on the command line and in reports. */
  @Override
  public String toString() {
    return text;
  }
}
