package dev.sluice.activities.support;

import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;

/** References for tests that need just one. */
public final class Refs {

  public static final String UID = "11111111-aaaa-bbbb-cccc-222222222222";

  /** The job that the cluster was made for. */
  public static final String JOB_ID = "ab12cd34ab12cd34ab12cd34ab12cd34";

  /** Another one. */
  public static final String OTHER_JOB_ID = "ff12cd34ab12cd34ab12cd34ab12cd34";

  public static final ResourceRef RESOURCE =
      new ResourceRef("kube-uid", "FlinkDeployment", "default", "orders", UID);

  public static final ClusterRef CLUSTER = new ClusterRef("default", "orders");

  public static final JobRef JOB = new JobRef(CLUSTER, JOB_ID);

  /** For the old contract of jobs, until it is gone. */
  public static final dev.sluice.workflows.resource.ResourceRef ORDERS =
      new dev.sluice.workflows.resource.ResourceRef("FlinkDeployment", "default", "orders", UID);

  private Refs() {}

  /** The cluster of that resource. */
  public static ClusterRef cluster(ResourceRef resource) {
    return new ClusterRef(resource.namespace(), resource.name());
  }

  /** A job on the cluster of that resource. */
  public static JobRef job(ResourceRef resource, String jobId) {
    return new JobRef(cluster(resource), jobId);
  }
}
