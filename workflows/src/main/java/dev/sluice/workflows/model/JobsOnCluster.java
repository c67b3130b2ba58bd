package dev.sluice.workflows.model;

import java.util.List;

/** What becomes of the jobs on a session cluster that goes. */
public enum JobsOnCluster {
  /**
   * There are none, which must still be so when the cluster goes; of a resource that is being
   * deleted: none that holds the deletion.
   */
  NONE,
  /** They come back with the next cluster, from high-availability metadata, which stays whole. */
  COME_BACK,
  /** They end with it. */
  END;

  private static final int NAMED = 5;

  /** Names five of them, and how many there are next to: {@code a, b, c, d, e and 2 more}. */
  public static String named(List<String> jobs) {
    String first = String.join(", ", jobs.subList(0, Math.min(NAMED, jobs.size())));
    return jobs.size() <= NAMED ? first : first + " and %d more".formatted(jobs.size() - NAMED);
  }
}
