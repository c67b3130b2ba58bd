package dev.sluice.activities.support;

import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** References for tests that need just one. */
public final class Refs {

  public static final String UID = "11111111-aaaa-bbbb-cccc-222222222222";

  /** The job that the cluster was made for. */
  public static final String JOB_ID = FakeFlink.JOB;

  /** Another one. */
  public static final String OTHER_JOB_ID = "ff12cd34ab12cd34ab12cd34ab12cd34";

  public static final ResourceRef RESOURCE = Jobs.RESOURCE;

  public static final ClusterRef CLUSTER = Jobs.CLUSTER;

  public static final JobRef JOB = Jobs.JOB;

  private Refs() {}

  /** The reference to a resource that was created. */
  public static ResourceRef of(HasMetadata created) {
    return new ResourceRef(
        RESOURCE.kubernetes(),
        created.getKind(),
        created.getMetadata().getNamespace(),
        created.getMetadata().getName(),
        created.getMetadata().getUid());
  }

  /** The cluster of that resource. */
  public static ClusterRef cluster(ResourceRef resource) {
    return new ClusterRef(resource.namespace(), resource.name());
  }

  /** A job on the cluster of that resource. */
  public static JobRef job(ResourceRef resource, String jobId) {
    return new JobRef(cluster(resource), jobId);
  }
}
