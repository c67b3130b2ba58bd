package dev.sluice.controller.support;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;

/** Writes the workflow's part of a status, as the workflow's activities do. */
public final class WorkflowStandIn {

  private WorkflowStandIn() {}

  /** Freezes the spec as it is now and says how the operation stands. */
  public static void says(
      KubernetesClient client,
      FlinkDeployment resource,
      String workflowId,
      String runId,
      OperationType type,
      OperationState state,
      long target,
      ReconciliationState reconciliation) {
    String frozen = new FrozenSpec(resource.getSpec(), target, false).toJson();
    boolean stable = reconciliation == ReconciliationState.DEPLOYED;
    Map<String, Object> status =
        Map.of(
            "operation",
            OperationStatus.EMPTY
                .withType(type)
                .withState(state)
                .withWorkflowId(workflowId)
                .withRunId(runId)
                .withTargetGeneration(target),
            "reconciliationStatus",
            new ReconciliationStatus(1L, frozen, stable ? frozen : null, reconciliation));
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(FlinkDeployment.API_VERSION);
    body.setKind(FlinkDeployment.KIND);
    body.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(resource.getMetadata().getNamespace())
            .withName(resource.getMetadata().getName())
            .build());
    body.setAdditionalProperties(Map.of("status", status));
    client
        .resource(body)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager("sluice-workflow")
                .withForce(true)
                .build());
  }
}
