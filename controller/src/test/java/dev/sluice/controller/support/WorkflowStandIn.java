package dev.sluice.controller.support;

import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.sessionjob.Submission;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.Map;

/** Writes the workflow's part of a status, as the workflow's activities do. */
public final class WorkflowStandIn {

  private WorkflowStandIn() {}

  /** Says how the operation stands, with this spec frozen. */
  public static void says(
      KubernetesClient client,
      FlinkDeployment resource,
      OperationStatus operation,
      ReconciliationState reconciliation,
      FlinkDeploymentSpec spec) {
    says(
        client,
        resource,
        resource.getStatus().reconciliationStatus(),
        operation,
        reconciliation,
        new FrozenSpec(spec, operation.targetGeneration(), false).toJson(),
        Map.of());
  }

  /** The same of a session job, with what Flink was asked to run; null for nothing. */
  public static void says(
      KubernetesClient client,
      FlinkSessionJob resource,
      OperationStatus operation,
      ReconciliationState reconciliation,
      FlinkSessionJobSpec spec,
      Submission submission) {
    says(
        client,
        resource,
        resource.getStatus().reconciliationStatus(),
        operation,
        reconciliation,
        new FrozenSessionJob(spec, operation.targetGeneration(), false).toJson(),
        submission == null ? Map.of() : Map.of("submission", submission));
  }

  private static void says(
      KubernetesClient client,
      HasMetadata resource,
      ReconciliationStatus before,
      OperationStatus operation,
      ReconciliationState reconciliation,
      String frozen,
      Map<String, Object> more) {
    String stable =
        reconciliation == ReconciliationState.DEPLOYED
            ? frozen
            : before == null ? null : before.lastStableSpec();
    boolean same = before != null && frozen.equals(before.lastReconciledSpec());
    Long since = same ? before.reconciliationTimestamp() : Long.valueOf(System.currentTimeMillis());
    Map<String, Object> status = new HashMap<>(more);
    status.put("operation", operation);
    status.put(
        "reconciliationStatus", new ReconciliationStatus(since, frozen, stable, reconciliation));
    GenericKubernetesResource body = new GenericKubernetesResource();
    body.setApiVersion(resource.getApiVersion());
    body.setKind(resource.getKind());
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
