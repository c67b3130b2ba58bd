package dev.sluice.activities.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.TestClock;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.resource.OperationReport;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
  void aParkedRunIsAWarningOnTheResource() {
    events.tell(report("Parked", "no image"), "Parked", "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getType()).isEqualTo("Warning");
              assertThat(event.getReason()).isEqualTo("Parked");
              assertThat(event.getMessage()).isEqualTo("Upgrade, AwaitRunning: no image");
              assertThat(event.getInvolvedObject().getUid()).isEqualTo(ref.uid());
              assertThat(event.getReportingComponent()).isEqualTo("sluice");
            });
  }

  @Test
  void aDeletionWithoutTheSavepointThatWasAskedForIsAWarning() {
    events.tell(report("Running", "disk is full"), "SavepointError", "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(event -> assertThat(event.getType()).isEqualTo("Warning"));
  }

  @Test
  void theSameReportToldAgainIsOneEvent() {
    events.tell(report("Parked", "no image"), "Parked", "1@08:00");
    events.tell(report("Parked", "no image"), "Parked", "1@08:00");

    assertThat(written()).hasSize(1);
  }

  @Test
  void theSameTroubleAtTheNextAttemptIsAnotherEvent() {
    events.tell(report("Parked", "no image"), "Parked", "1@08:00");
    events.tell(report("Parked", "no image"), "Parked", "2@09:00");

    assertThat(written()).hasSize(2);
  }

  @Test
  void aMessageThatIsTooLongIsCutOff() {
    events.tell(report("Succeeded", "x".repeat(5000)), "OperationSucceeded", "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getMessage()).hasSize(1024);
              assertThat(event.getType()).isEqualTo("Normal");
            });
  }

  @Test
  void anEventThatCannotBeWrittenStopsNothing() {
    ResourceRef nowhere = new ResourceRef(ref.kind(), "no-such-namespace", ref.name(), ref.uid());

    events.tell(report(nowhere, "Parked", "no image"), "Parked", "1@08:00");

    assertThat(written()).isEmpty();
  }

  private OperationReport report(String state, String message) {
    return report(ref, state, message);
  }

  private static OperationReport report(ResourceRef ref, String state, String message) {
    return new OperationReport(
        ref, "Upgrade", "lane", "run", state, "AwaitRunning", 2, null, null, message, null, null);
  }

  private List<Event> written() {
    return client.v1().events().inNamespace(ref.namespace()).list().getItems();
  }
}
