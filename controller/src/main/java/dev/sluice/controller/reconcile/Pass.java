package dev.sluice.controller.reconcile;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.deployment.ObservedCluster;
import dev.sluice.controller.deployment.ObservedJob;
import dev.sluice.controller.deployment.ObservedState;
import dev.sluice.controller.deployment.WorkflowState;
import dev.sluice.workflows.resource.ResourceRef;
import org.jspecify.annotations.Nullable;

/** Small derivations that a reconciliation needs before it can decide. Pure. */
final class Pass {

  private Pass() {}

  /** The resource as workflows know it. */
  static ResourceRef ref(FlinkDeployment resource) {
    return new ResourceRef(
        FlinkDeployment.KIND,
        resource.getMetadata().getNamespace(),
        resource.getMetadata().getName(),
        resource.getMetadata().getUid());
  }

  /** What answers of Flink are about: these JobManager processes, after this operation. */
  static String about(FlinkDeployment resource, ObservedCluster cluster) {
    OperationStatus operation = resource.getStatus().operation();
    return cluster.jobManagerPods()
        + " "
        + (operation == null ? "" : operation.runId() + " " + operation.state());
  }

  /** What is known of the job: nothing can be asked while no JobManager process runs. */
  static ObservedState seen(ObservedCluster cluster, ObservedJob watched, WorkflowState lane) {
    return new ObservedState(
        cluster, cluster.answerable() ? watched : new ObservedJob.Unreachable(why(cluster)), lane);
  }

  private static String why(ObservedCluster cluster) {
    return switch (cluster.jobManager()) {
      case MISSING -> "there is no JobManager Deployment";
      case ERROR -> "the JobManager pod cannot start: " + orUnknown(cluster.problem());
      default -> "no JobManager pod is ready";
    };
  }

  private static String orUnknown(@Nullable String problem) {
    return problem == null ? "unknown" : problem;
  }
}
