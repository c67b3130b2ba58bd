package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.FreezeRequest;
import dev.sluice.workflows.resource.RecordStateRequest;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ApiServer.Extension.class)
class WorkflowStatusWriterIT {

  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

  private KubernetesClient client;
  private WorkflowStatusWriter writer;
  private FlinkDeployment created;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    writer = new WorkflowStatusWriter(client);
    created = client.resource(Deployed.orders(server.namespace())).create();
    ref = Deployed.ref(created);
  }

  @Test
  void theTargetIsFrozenInOneWriteOfItsOwnManager() {
    freeze(read(), false);

    FlinkDeployment now = read();
    assertThat(now.getStatus().lastReconciled().spec()).isEqualTo(now.getSpec());
    assertThat(now.getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.UPGRADING);
    assertThat(now.getStatus().operation().targetGeneration()).isEqualTo(1);
    assertThat(now.getMetadata().getManagedFields())
        .filteredOn(entry -> "status".equals(entry.getSubresource()))
        .extracting(ManagedFieldsEntry::getManager)
        .containsExactly(Apply.FIELD_MANAGER);
  }

  @Test
  void whatChangesNothingIsNotWritten() {
    freeze(created, false);
    String before = read().getMetadata().getResourceVersion();

    freeze(read(), false);

    assertThat(read().getMetadata().getResourceVersion()).isEqualTo(before);
  }

  @Test
  void whatOthersWroteStays() {
    controllerWrites("{\"observedGeneration\":1,\"jobStatus\":{\"state\":\"RUNNING\"}}");

    record("file:/s/1");

    assertThat(read().getStatus().observedGeneration()).isEqualTo(1);
    assertThat(read().getStatus().jobStatus().state().name()).isEqualTo("RUNNING");
    assertThat(read().getStatus().jobStatus().upgradeSavepointPath()).isEqualTo("file:/s/1");
  }

  @Test
  void aRecordedPathIsTakenAwayByTheNextUpgrade() {
    record("file:/s/1");

    freeze(read(), false);

    assertThat(OwnedStatus.of(read().getStatus()).upgradeSavepointPath()).isNull();
  }

  @Test
  void aPathThatAnotherOperatorRecordedIsTakenAwayToo() {
    controllerWrites("{\"jobStatus\":{\"upgradeSavepointPath\":\"file:/old\"}}");

    freeze(read(), false);

    assertThat(OwnedStatus.of(read().getStatus()).upgradeSavepointPath()).isNull();
    assertThat(read().getStatus().lastReconciled()).isNotNull();
  }

  @Test
  void anotherInstanceOfTheNameIsNeverWritten() {
    client.resource(created).delete();
    FlinkDeployment other =
        client.resource(Deployed.orders(created.getMetadata().getNamespace())).create();

    assertThatThrownBy(() -> freeze(created, false))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            conflict -> assertThat(conflict.getCode()).isEqualTo(409));
    assertThat(client.resource(other).get().getStatus().operation()).isNull();
  }

  @Test
  void whatSomebodyWroteInBetweenIsReadAgain() {
    FlinkDeployment stale = read();
    AtomicInteger tries = new AtomicInteger();

    new ConflictRetry(new Resources(client))
        .then(
            ref,
            fresh -> {
              if (tries.incrementAndGet() == 1) {
                controllerWrites("{\"observedGeneration\":1}");
                freeze(stale, false);
              }
              freeze(fresh, false);
              return true;
            });

    assertThat(tries).hasValue(2);
    assertThat(read().getStatus().lastReconciled()).isNotNull();
    assertThat(read().getStatus().observedGeneration()).isEqualTo(1);
  }

  @Test
  void aResourceThatIsGoneIsToldSo() {
    client.resource(created).delete();

    assertThatThrownBy(() -> freeze(created, false))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(FailureType.RESOURCE_GONE));
  }

  private void freeze(FlinkDeployment read, boolean keepState) {
    FreezeRequest request = Reports.freeze(ref, keepState);
    writer.write(ref, read, now -> TargetChange.freeze(now, read.getSpec(), 1, request, NOW));
  }

  private void record(String path) {
    RecordStateRequest request = new RecordStateRequest(ref, path, "RecordState", "words", null);
    writer.write(ref, read(), now -> TargetChange.record(now, request, NOW));
  }

  private void controllerWrites(String status) {
    client
        .resource(created)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager("other")
                .build(),
            "{\"status\":" + status + "}");
  }

  private FlinkDeployment read() {
    return client.resource(created).get();
  }
}
