package dev.sluice.activities.cluster;

import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.temporal.failure.ApplicationFailure;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses a request that is about another job, cluster or status than there is by now. */
public final class Outdated {

  private Outdated() {}

  /**
   * One that does not say what it was made for is taken: Apache's operator made it.
   *
   * @param jobIds that it may have been made for; empty for any
   * @param generation that it must have been made for; null for any
   * @throws ApplicationFailure {@code Outdated}
   */
  static void check(Deployment deployment, Set<String> jobIds, @Nullable Long generation) {
    String jobId = ClusterAnnotations.jobId(deployment);
    Long is = ClusterAnnotations.generation(deployment);
    if ((jobId != null && !jobIds.isEmpty() && !jobIds.contains(jobId))
        || (generation != null && is != null && !is.equals(generation))) {
      throw failure(
          "Deployment %s was made for generation %s and job %s"
              .formatted(deployment.getMetadata().getName(), is, jobId));
    }
  }

  /**
   * Nothing is refused when the status stands as it was planned for, or as the effect itself leaves
   * it: then this is the same call again.
   *
   * @throws ApplicationFailure {@code Outdated}
   */
  public static void check(StoredResource resource, Standing plannedFor, Standing after) {
    Standing now = resource.observed().standing();
    if (!now.equals(plannedFor) && !now.equals(after)) {
      throw failure("the status was written since: it is %s, not %s".formatted(now, plannedFor));
    }
  }

  public static ApplicationFailure failure(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, FailureType.OUTDATED);
  }
}
