package dev.sluice.activities.status;

import dev.sluice.activities.job.JobProbe;
import dev.sluice.activities.resource.RunningCluster;

/** Looks at the job of one cluster, again and again. */
@FunctionalInterface
interface JobLook {

  /** Takes one look. Never fails: what cannot be told is {@code Unreachable}. */
  JobProbe.Probe look();

  /** Begins to look at clusters. */
  @FunctionalInterface
  interface Source {

    /** A look at the job that a cluster was made for, or has, when it does not say. */
    JobLook at(RunningCluster cluster);
  }
}
