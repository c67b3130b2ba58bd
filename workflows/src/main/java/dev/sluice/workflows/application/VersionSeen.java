package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.sluice.workflows.model.JobObservation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was observed of one version.
 *
 * @param version it
 * @param cluster how far its cluster is
 * @param problem why that is not ready, in words; null when it is
 * @param job its job. {@code Absent}: the JobManager answers and does not know the recorded job;
 *     {@code NeverStarted}: no job is recorded
 * @param otherJobs live jobs on its cluster that are not its own
 * @param served whether the Service of the application points at it
 * @param comesBack whether Flink starts its jobs again by itself when its cluster is made again:
 *     with high availability
 */
public record VersionSeen(
    VersionRef version,
    Cluster cluster,
    @Nullable String problem,
    JobObservation job,
    List<String> otherJobs,
    boolean served,
    boolean comesBack) {

  /** Copies the list. */
  public VersionSeen {
    otherJobs = otherJobs == null ? List.of() : List.copyOf(otherJobs);
  }

  /** How far a cluster is. */
  public enum Cluster {
    /** Its JobManager is not there. */
    MISSING,
    /** Its JobManager is there, and a Deployment is not: its own, or that of the TaskManagers. */
    INCOMPLETE,
    /** It is being deleted, or pods of it are left. */
    DELETING,
    /** It is there, and its JobManager or some slots are not. */
    STARTING,
    /** Its JobManager answers and has as many slots as its job needs. */
    READY,
    /** It was ready before, and its JobManager does not answer. */
    SILENT;

    /** Whether something of it has to be made first. */
    public boolean lacks() {
      return this == MISSING || this == INCOMPLETE || this == DELETING;
    }
  }

  /** Whether every task of its job is up. */
  @JsonIgnore
  public boolean isUp() {
    return job instanceof JobObservation.Alive alive && alive.isUp();
  }
}
