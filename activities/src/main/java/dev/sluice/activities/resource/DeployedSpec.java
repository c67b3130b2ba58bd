package dev.sluice.activities.resource;

/** A spec of a resource with a job, as it stands in a status. */
public interface DeployedSpec extends TargetSpec {

  /** It runs no job. */
  boolean isSuspended();

  /** Nothing was deployed before it. */
  boolean isFirst();

  /** Apache's operator froze it. */
  boolean isByApache();

  /** It runs no job, and none was deployed before it. */
  default boolean isUnstarted() {
    return isFirst() && isSuspended();
  }
}
