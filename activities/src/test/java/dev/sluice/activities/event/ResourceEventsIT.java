package dev.sluice.activities.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.common.OperationState;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ApiServer.Extension.class)
class ResourceEventsIT {

  private KubernetesClient client;
  private ResourceRef ref;
  private ResourceEvents events;

  @BeforeEach
  void create(ApiServer server) {
    client = server.client();
    ref = Deployed.ref(client.resource(Deployed.orders(server.namespace())).create());
    events = new ResourceEvents(client, new TestClock());
  }

  @Test
  void tell_sameTextAgain_isCountedOnTheEventOnceForEachOccurrence() {
    tell(OperationState.PARKED, "no image", "Parked", "1@08:00");
    tell(OperationState.PARKED, "no image", "Parked", "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getReason()).isEqualTo("Parked");
              assertThat(event.getMessage()).isEqualTo("Upgrade, AwaitRunning: no image");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo(ref.uid());
              assertThat(event.getReportingComponent()).isEqualTo("sluice");
              assertThat(event.getCount()).isEqualTo(1);
            });
    tell(OperationState.PARKED, "no image", "Parked", "2@09:00");
    tell(OperationState.PARKED, "no image", "Parked", "2@09:00");
    assertThat(written()).singleElement().satisfies(it -> assertThat(it.getCount()).isEqualTo(2));

    tell(OperationState.PARKED, "no pod", "Parked", "2@09:00");
    assertThat(written()).hasSize(2);
  }

  /** Lyft's words are those of a FlinkApplication. */
  @ParameterizedTest
  @CsvSource({
    "BLOCKED, Blocked, Warning",
    "RUNNING, SavepointError, Warning",
    "SUCCEEDED, DeployFailed, Warning",
    "SUCCEEDED, RestoringWithoutExternalizedCheckpoint, Warning",
    "SUCCEEDED, CleanupFailed, Warning",
    "SUCCEEDED, JobSubmitted, Normal",
  })
  void tell_whatWentWrong_isAWarning(OperationState state, String reason, String type) {
    tell(state, "x".repeat(5000), reason, "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo(type);
              assertThat(event.getMessage()).hasSize(1024);
            });
  }

  /** FLINK-31860: in a namespace that is being deleted no event can be written. */
  @Test
  void tell_eventCannotBeWritten_stopsNothing() {
    ref = new ResourceRef(ref.kubernetes(), ref.kind(), "no-such-namespace", ref.name(), ref.uid());

    tell(OperationState.PARKED, "no image", "Parked", "1@08:00");

    assertThat(written()).isEmpty();
  }

  private void tell(OperationState state, String message, String reason, String since) {
    OperationReport report =
        new OperationReport(
            ref,
            new RunRef("Upgrade", "lane", "run"),
            state,
            "AwaitRunning",
            2,
            null,
            message,
            null,
            null,
            null);
    events.tell(FlinkDeploymentStore.TYPE, report, reason, since);
  }

  private List<Event> written() {
    return client.v1().events().inNamespace(ref.namespace()).list().getItems();
  }
}
