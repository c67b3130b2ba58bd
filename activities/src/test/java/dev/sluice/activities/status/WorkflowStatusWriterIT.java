package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
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
    freeze(read());

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
  void whatOthersWroteStays() {
    controllerWrites("{\"observedGeneration\":1,\"jobStatus\":{\"state\":\"RUNNING\"}}");

    record("file:/s/1");

    assertThat(read().getStatus().observedGeneration()).isEqualTo(1);
    assertThat(read().getStatus().jobStatus().state().name()).isEqualTo("RUNNING");
    assertThat(read().getStatus().jobStatus().upgradeSavepointPath()).isEqualTo("file:/s/1");
  }

  @Test
  void aPathThatAnotherOperatorRecordedIsTakenAwayToo() {
    controllerWrites("{\"jobStatus\":{\"upgradeSavepointPath\":\"file:/old\"}}");

    freeze(read());

    assertThat(Stored.of(read()).status().upgradeSavepointPath()).isNull();
    assertThat(read().getStatus().lastReconciled()).isNotNull();
  }

  @Test
  void anotherInstanceOfTheNameIsNeverWritten() {
    client.resource(created).delete();
    FlinkDeployment other =
        client.resource(Deployed.orders(created.getMetadata().getNamespace())).create();

    assertThatThrownBy(() -> freeze(created))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            conflict -> assertThat(conflict.getCode()).isEqualTo(409));
    assertThat(client.resource(other).get().getStatus().operation()).isNull();
  }

  @Test
  void whatSomebodyWroteInBetweenIsReadAgain() {
    FlinkDeployment stale = read();
    AtomicInteger tries = new AtomicInteger();

    ConflictRetry.then(
        EffectWindow.open(new TestClock()),
        () -> Stored.of(read()),
        fresh -> {
          if (tries.incrementAndGet() == 1) {
            controllerWrites("{\"observedGeneration\":1}");
            freeze(stale);
          }
          return writer.write(FlinkDeploymentStore.TYPE, ref, fresh, frozen());
        });

    assertThat(tries).hasValue(2);
    assertThat(read().getStatus().lastReconciled()).isNotNull();
    assertThat(read().getStatus().observedGeneration()).isEqualTo(1);
  }

  /** What was to be written may be wrong by then: another attempt has written, the run went on. */
  @Test
  void aConflictIsNotTriedAgainAfterTheAttemptIsOver() {
    TestClock clock = new TestClock();
    FlinkDeployment stale = read();
    controllerWrites("{\"observedGeneration\":1}");
    EffectWindow window = EffectWindow.open(clock);

    assertThatThrownBy(
            () ->
                ConflictRetry.then(
                    window,
                    () -> Stored.of(stale),
                    read -> {
                      clock.advance(Duration.ofSeconds(6));
                      return writer.write(FlinkDeploymentStore.TYPE, ref, read, frozen());
                    }))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.isNonRetryable()).isFalse());
    assertThat(read().getStatus().operation()).isNull();
  }

  private UnaryOperator<OwnedStatus> frozen() {
    return now ->
        StatusChange.freeze(
            now, Stored.of(created).newest().json(), Reports.freeze(ref, 1, false), NOW);
  }

  private void freeze(FlinkDeployment read) {
    write(read, frozen());
  }

  private void record(String path) {
    write(
        read(),
        now -> StatusChange.record(now, Reports.record(ref, new StateRef.Savepoint(path)), NOW));
  }

  private void write(FlinkDeployment read, UnaryOperator<OwnedStatus> change) {
    writer.write(FlinkDeploymentStore.TYPE, ref, Stored.of(read), change);
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
