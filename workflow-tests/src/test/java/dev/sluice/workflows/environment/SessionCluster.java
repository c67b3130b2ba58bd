package dev.sluice.workflows.environment;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session cluster, with the jobs of all resources that share it. Time passes for all of them
 * alike. Where they are several, all of it is for one thread.
 */
public final class SessionCluster {

  /** As long as it takes to replace it. */
  private static final int REPLACED_AFTER = 12;

  /** Until somebody aborts its upgrade. */
  private static final int ABORTED_AFTER = 4;

  private final List<HostModel> jobs = new ArrayList<>();
  private int number = 1;
  private int process = 1;
  private int backIn;
  private boolean missing;
  private @Nullable Leaving leaving;
  private int abortedIn;
  private boolean wentOnce;

  /** How an upgrade of it ends that waits until the jobs are suspended. */
  public enum Leaving {
    /** The cluster is replaced. */
    REPLACED,
    /** It is aborted when the jobs are suspended: the cluster stays. */
    ABORTED_ONCE_SUSPENDED,
    /** It is aborted after a while, whatever the jobs do: the cluster stays. */
    ABORTED_SOON
  }

  void add(HostModel job) {
    jobs.add(job);
  }

  /** Which cluster of its name it is. */
  int number() {
    return number;
  }

  /** Which process of its JobManager answers. */
  int process() {
    return process;
  }

  /** It is upgraded while its jobs run: it comes back as another cluster. */
  void replace() {
    note("session cluster is replaced");
    backIn = REPLACED_AFTER;
    endJobs();
  }

  /** It is to be upgraded, unless it is missing or being upgraded. */
  void leave(Leaving how) {
    if (isUp()) {
      note("session cluster waits until its jobs are suspended: " + how);
      leaving = how;
      abortedIn = how == Leaving.ABORTED_SOON ? ABORTED_AFTER : 0;
      wentOnce = true;
    }
  }

  /** Its FlinkDeployment is deleted, until that is healed. */
  void delete() {
    note("session cluster is deleted");
    missing = true;
    leaving = null;
    endJobs();
    jobs.forEach(job -> job.environment().kubernetes().loseMetadata());
  }

  /** Its JobManager process dies, and is there again at once. */
  void restart() {
    note("JobManager of the session cluster dies");
    process++;
    endJobs();
  }

  void heal() {
    if (missing) {
      number++;
      process++;
    }
    missing = false;
  }

  /** Time passes. */
  void tick() {
    jobs.forEach(job -> job.environment().flinkIsAwayOneTickLess());
    if (abortedIn > 0 && --abortedIn == 0) {
      note("upgrade of the session cluster is aborted");
      leaving = null;
    }
    if (goes() && jobs.stream().allMatch(it -> it.answers() && !it.waitsForJob())) {
      suspended();
    }
    if (backIn > 0 && --backIn == 0) {
      number++;
      process++;
    }
    jobs.forEach(job -> job.environment().workGoesOn());
  }

  private void suspended() {
    boolean stays = leaving == Leaving.ABORTED_ONCE_SUSPENDED;
    leaving = null;
    if (!stays) {
      replace();
      // with the cluster goes its metadata, which has no job any more
      jobs.forEach(job -> job.environment().kubernetes().metadata.clear());
    }
  }

  /** Nothing of it is left, and it does not come back by itself. */
  boolean isMissing() {
    return missing;
  }

  boolean isUp() {
    return !missing && backIn == 0;
  }

  /** Its upgrade waits until its jobs are suspended. */
  boolean goes() {
    return leaving != null;
  }

  /** Its upgrade has begun, and did not end. */
  public boolean isToGo() {
    return goes() || backIn > 0;
  }

  /** It did so once. */
  boolean wentOnce() {
    return wentOnce;
  }

  /** It comes back by itself, after some time. */
  boolean isComingBack() {
    boolean waits = jobs.stream().anyMatch(HostModel::waitsForJob);
    return backIn > 0 || (goes() && !waits && isUp());
  }

  private void endJobs() {
    jobs.forEach(
        job ->
            job.environment()
                .kubernetes()
                .processes()
                .forEach(JobManagerProcess::crashWithItsHost));
  }

  private void note(String line) {
    jobs.forEach(job -> job.environment().note(line));
  }
}
