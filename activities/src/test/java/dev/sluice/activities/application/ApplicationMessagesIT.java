package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.WaitReporter.Waiting;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.api.common.OperationState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a long wait waits for, on a real API server with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class ApplicationMessagesIT {

  private static final String SLOTS = "4 of 8 slots are there";

  private final TestClock clock = new TestClock();
  private KubernetesClient worker;
  private FlinkApplicationStore store;
  private ApplicationStatusWriter writer;
  private ResourceRef ref;

  @BeforeEach
  void create(ApiServer server) throws IOException {
    worker = WorkerClient.of(server);
    store = new FlinkApplicationStore(worker);
    writer = new ApplicationStatusWriter(worker, store, clock);
    String namespace = server.namespace();
    FlinkApplication application = new FlinkApplication();
    application.getMetadata().setNamespace(namespace);
    application.getMetadata().setName("orders");
    application.setSpec(Applications.SPEC);
    FlinkApplication created = server.client().resource(application).create();
    ref =
        new ResourceRef(
            "kubernetes",
            FlinkApplication.KIND,
            namespace,
            "orders",
            created.getMetadata().getUid());
  }

  @AfterEach
  void close() {
    worker.close();
  }

  @Test
  void aRunThatIsAtWorkTellsWhatItWaitsForAndChangesNothingElse() {
    says(OperationState.RUNNING);
    FlinkApplicationStatus before = status();

    writer.message(ref, waiting("run-1"), SLOTS);

    assertThat(status().operation().message()).isEqualTo(SLOTS);
    assertThat(status()).isEqualTo(before.withOperation(before.operation().withMessage(SLOTS)));
  }

  @Test
  void theRunBeforeTellsNothing() {
    says(OperationState.RUNNING);

    writer.message(ref, waiting("run-0"), SLOTS);

    assertThat(status().operation().message()).isEqualTo("Wait for the cluster");
  }

  @Test
  void whatAPersonIsToDoStays() {
    says(OperationState.PARKED);

    writer.message(ref, waiting("run-1"), SLOTS);

    assertThat(status().operation().message()).isEqualTo("Wait for the cluster");
  }

  private void says(OperationState state) {
    writer.report(
        new OperationReport(
            ref,
            new RunRef("Deploy", ref.laneId(), "run-1"),
            state,
            "AwaitVersion",
            1,
            null,
            "Wait for the cluster",
            null,
            null,
            null));
  }

  private FlinkApplicationStatus status() {
    return store.read(ref).status();
  }

  private static Waiting waiting(String runId) {
    return new Waiting(runId, "AwaitVersion", Instant.EPOCH);
  }
}
