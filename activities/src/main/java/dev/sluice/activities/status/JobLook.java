package dev.sluice.activities.status;

import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.workflows.model.JobObservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks at the job of one cluster, again and again. */
@FunctionalInterface
public interface JobLook {

  /** Takes one look. Never fails: what cannot be told is {@link JobObservation.Unreachable}. */
  CompletableFuture<Seen> look();

  /**
   * What one look showed.
   *
   * @param job the job
   * @param otherJobs ids of live jobs on the cluster that are not the resource's
   * @param settled looking again would tell nothing more
   * @param progress for people, while it is not settled
   */
  record Seen(JobObservation job, List<String> otherJobs, boolean settled, String progress) {}

  /** Begins to look at clusters. */
  @FunctionalInterface
  interface Source {

    /** A look at the job that a cluster was made for, or has, when it does not say. */
    JobLook at(RunningCluster cluster);
  }
}
