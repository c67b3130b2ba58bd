package dev.sluice.controller.deployment;

import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How snapshots name the jobs that run on the cluster of a FlinkDeployment. Pure. */
final class ReferencedJobs {

  private ReferencedJobs() {}

  /**
   * Its own, and those of the FlinkSessionJobs that name it.
   *
   * @param known resources of all kinds and namespaces
   */
  static Set<JobReference> onClusterOf(ResourceRef deployment, Collection<HasMetadata> known) {
    Stream<JobReference> hosted =
        known.stream()
            .filter(it -> isOn(deployment, it))
            .map(it -> new JobReference(JobKind.FLINK_SESSION_JOB, it.getMetadata().getName()));
    return Stream.concat(
            Stream.of(new JobReference(JobKind.FLINK_DEPLOYMENT, deployment.name())), hosted)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isOn(ResourceRef deployment, HasMetadata resource) {
    return resource instanceof FlinkSessionJob job
        && deployment.namespace().equals(job.getMetadata().getNamespace())
        && deployment.name().equals(job.getSpec().deploymentName());
  }
}
