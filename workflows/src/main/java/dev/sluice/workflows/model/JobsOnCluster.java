package dev.sluice.workflows.model;

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
  END
}
