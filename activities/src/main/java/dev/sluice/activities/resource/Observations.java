package dev.sluice.activities.resource;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.cluster.RunningSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.deployment.JobSpec;
import dev.sluice.api.deployment.ReconciliationState;
import dev.sluice.api.deployment.SpecDiff;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.ClusterSeen;
import dev.sluice.workflows.resource.Observation.JobSeen;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts what was seen of a resource, its cluster and its job into one {@link Observation}. Pure. */
final class Observations {

  private Observations() {}

  /**
   * @param deployment of this instance, and not being deleted; null when there is none
   */
  static Observation of(
      FlinkDeployment resource, @Nullable Deployment deployment, List<Pod> pods, JobSeen job) {
    OwnedStatus owned = OwnedStatus.of(resource.getStatus());
    FrozenSpec frozen = owned.frozen();
    FrozenSpec stable = owned.stable();
    JobSpec wanted = resource.getSpec().job();
    ReconciliationState state = owned.reconciliation().state();
    boolean upgrading =
        state == ReconciliationState.UPGRADING || state == ReconciliationState.ROLLING_BACK;
    return new Observation(
        Objects.requireNonNullElse(resource.getMetadata().getGeneration(), 0L),
        resource.getMetadata().getDeletionTimestamp() != null,
        frozen == null ? null : frozen.generation(),
        frozen == null ? null : FrozenAnswer.upgradeMode(frozen.spec()),
        frozen == null || (frozen.firstDeployment() && stable == null),
        stable == null ? null : stable.generation(),
        upgrading,
        upgrading ? owned.upgradeSavepointPath() : null,
        FrozenAnswer.upgradeMode(resource.getSpec()),
        wanted == null || isBlank(wanted.initialSavepointPath())
            ? null
            : wanted.initialSavepointPath(),
        frozen == null ? "" : SpecDiff.between(frozen.spec(), resource.getSpec()).describe(),
        cluster(deployment, pods),
        job);
  }

  private static ClusterSeen cluster(@Nullable Deployment deployment, List<Pod> pods) {
    String problem =
        PodProblems.of(pods, deployment).stream().map(PodProblem::message).findFirst().orElse(null);
    return deployment == null
        ? new ClusterSeen(false, null, null, pods.size(), problem)
        : new ClusterSeen(
            true,
            RunningSpec.generation(deployment),
            RunningSpec.jobId(deployment),
            pods.size(),
            problem);
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isBlank();
  }
}
