package dev.sluice.activities.resource;

import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.cluster.RunningSpec;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
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

  private static final String SAVEPOINT_ON_DELETION =
      "kubernetes.operator.job.savepoint-on-deletion";

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
        frozen == null ? null : FrozenTargets.upgradeMode(frozen.spec()),
        frozen == null || (frozen.firstDeployment() && stable == null),
        stable == null ? null : stable.generation(),
        upgrading,
        upgrading ? owned.upgradeSavepointPath() : null,
        FrozenTargets.upgradeMode(resource.getSpec()),
        wanted == null || isBlank(wanted.initialSavepointPath())
            ? null
            : wanted.initialSavepointPath(),
        frozen == null ? 0 : deletionSavepointMs(resource.getSpec(), frozen.spec()),
        frozen == null ? "" : SpecDiff.between(frozen.spec(), resource.getSpec()).describe(),
        cluster(deployment, pods),
        job);
  }

  /**
   * Asked for by the newest spec, as every key of the operator takes effect with the next
   * operation; a typing error counts as yes, because the state is gone for ever otherwise.
   */
  private static long deletionSavepointMs(
      FlinkDeploymentSpec newest, FlinkDeploymentSpec deployed) {
    boolean wanted =
        newest
            .configuration()
            .get(SAVEPOINT_ON_DELETION)
            .map(text -> !text.isBlank() && !text.trim().equalsIgnoreCase("false"))
            .orElse(false);
    return wanted ? FrozenTargets.savepointTimeout(deployed).toMillis() : 0;
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
