package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A kind whose definition is stricter about its status than what is written. */
@ExtendWith(ApiServer.Extension.class)
class RefusedStatusIT {

  private static final ResourceType TYPE =
      new ResourceType("test.sluice.dev", "v1", "Strict", "stricts");
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: stricts.test.sluice.dev}
      spec:
        group: test.sluice.dev
        scope: Namespaced
        names: {kind: Strict, plural: stricts, singular: strict, listKind: StrictList}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                status:
                  type: object
                  properties:
                    reconciliationStatus: {type: object, x-kubernetes-preserve-unknown-fields: true}
                    operation:
                      type: object
                      x-kubernetes-preserve-unknown-fields: true
                      properties:
                        step: {type: string, maxLength: 12}
      """;

  private KubernetesClient client;
  private WorkflowStatusWriter writer;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    writer = new WorkflowStatusWriter(client);
    client
        .resource(
            new KubernetesSerialization().unmarshal(DEFINITION, CustomResourceDefinition.class))
        .serverSideApply();
    GenericKubernetesResource object =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(TYPE.apiVersion())
            .withKind(TYPE.kind())
            .withNewMetadata()
            .withNamespace(server.namespace())
            .withName("orders")
            .endMetadata()
            .build();
    GenericKubernetesResource created =
        Awaitility.await()
            .ignoreExceptions()
            .until(() -> client.resource(object).create(), it -> true);
    ref =
        new ResourceRef(
            "kube-uid",
            TYPE.kind(),
            created.getMetadata().getNamespace(),
            "orders",
            created.getMetadata().getUid());
  }

  /** Without that a person would see nothing but the status of before. */
  @Test
  void aStatusThatIsRefusedIsReplacedByTheReasonBesideWhatWasThere() {
    write(now -> StatusChange.freeze(now, "{}", Reports.freeze(ref, 1, false), Instant.EPOCH));

    assertThatThrownBy(() -> write(RefusedStatusIT::atStepOfLongName))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getOriginalMessage()).contains("status.operation.step");
            });

    JsonNode status = status();
    assertThat(status.at("/operation/reason").asText()).isEqualTo("Refused");
    assertThat(status.at("/operation/message").asText())
        .startsWith("The API server refuses the status of ")
        .contains("status.operation.step");
    assertThat(status.at("/operation/runId").asText()).isEqualTo("run-1");
    assertThat(status.at("/operation/state").asText()).isEqualTo("Parked");
    assertThat(status.at("/reconciliationStatus/lastReconciledSpec").asText()).isEqualTo("{}");
  }

  private static OwnedStatus atStepOfLongName(OwnedStatus now) {
    return now.withOperation(
        now.operation().withState(OperationState.PARKED).withStep("AwaitJobManager"));
  }

  private void write(UnaryOperator<OwnedStatus> change) {
    GenericKubernetesResource read = read();
    FlinkDeployment as = Deployed.orders(ref.namespace());
    as.setMetadata(read.getMetadata());
    JsonNode status = status();
    if (!status.isMissingNode()) {
      as.setStatus(new KubernetesSerialization().convertValue(status, FlinkDeploymentStatus.class));
    }
    writer.write(TYPE, ref, Stored.of(as), change);
  }

  private JsonNode status() {
    return new ObjectMapper().valueToTree(read().getAdditionalProperties()).path("status");
  }

  private GenericKubernetesResource read() {
    return client
        .genericKubernetesResources(TYPE.apiVersion(), TYPE.kind())
        .inNamespace(ref.namespace())
        .withName("orders")
        .get();
  }
}
