package dev.sluice.workflows.application;

import java.util.LinkedHashMap;
import java.util.Map;

/** A cluster of one version, or of one after the other in place. */
final class ModelCluster {

  final VersionRef madeFor;
  final Map<String, ModelJob> jobs = new LinkedHashMap<>();
  int parallelism;
  int starting = 2;
  int silent;
  boolean hasTaskManagers = true;
  boolean hasJobManager = true;

  /** Its JobManager cannot start, and has no high availability. */
  boolean down;

  /** The Deployment of its JobManager was deleted, and the pod of that lives. */
  boolean orphaned;

  /** The same, and the pod is about to end: it answers yet. */
  boolean terminating;

  /** Jobs that its JobManager, which has just started, does not tell of yet. */
  final Map<String, ModelJob> late = new LinkedHashMap<>();

  /** The whole hash of the version that its Deployments are labelled for. */
  String labelled;

  /** So many jobs are on it that somebody has submitted. */
  int others;

  ModelCluster(VersionRef madeFor, int parallelism) {
    this.madeFor = madeFor;
    this.parallelism = parallelism;
    this.labelled = String.valueOf(madeFor.fullHash());
  }

  static String key(VersionRef version) {
    return version.colour() == null
        ? version.cluster()
        : version.cluster() + "-" + version.colour().wire();
  }

  /** Time passes for it. */
  void settles() {
    starting = Math.max(0, starting - 1);
    silent = Math.max(0, silent - 1);
  }

  /** Somebody deletes their Deployment. */
  void losesTaskManagers() {
    hasTaskManagers = false;
    jobs.values().forEach(job -> job.up = false);
  }

  /** Somebody deletes its Deployment, and with it the job is gone. */
  void losesJobManager() {
    forgets();
    hasJobManager = false;
  }

  /** What is missing of it is made. */
  void isWhole() {
    orphaned = false;
    if (!hasJobManager) {
      hasJobManager = true;
      starting = 2;
    }
    if (!hasTaskManagers) {
      hasTaskManagers = true;
      jobs.values().forEach(job -> job.up = job.works());
    }
  }

  /** Its JobManager is another process, and has high availability. */
  void startsAgain() {
    late.putAll(jobs);
    jobs.clear();
  }

  /** It has got them back. */
  void tellsOfAll() {
    jobs.putAll(late);
    late.clear();
  }

  /** Its JobManager is another process, and has no high availability. */
  void forgets() {
    jobs.values().stream().filter(ModelJob::isLive).forEach(job -> job.lost = true);
    jobs.clear();
    others = 0;
  }

  @Override
  public String toString() {
    return "%s x%d%s %s"
        .formatted(key(madeFor), parallelism, silent > 0 ? " silent" : "", jobs.values());
  }
}
