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
import org.junit.jupiter.params.provider.ValueSource;

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
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.PARKED, "no image"), "Parked", "1@08:00");

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
  void aBlockedRunIsAWarningToo() {
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.BLOCKED, "quota"), "Blocked", "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(event -> assertThat(event.getType()).isEqualTo("Warning"));
  }

  @Test
  void aDeletionWithoutTheSavepointThatWasAskedForIsAWarning() {
    events.tell(
        FlinkDeploymentStore.TYPE,
        report(OperationState.RUNNING, "disk is full"),
        "SavepointError",
        "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(event -> assertThat(event.getType()).isEqualTo("Warning"));
  }

  /** Lyft's words are those of a FlinkApplication. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DeployFailed",
        "SavepointFailed",
        "RestoringWithoutExternalizedCheckpoint",
        "CleanupFailed"
      })
  void whatWentWrongIsAWarningWhileTheRunGoesOnAndAtItsEnd(String reason) {
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.RUNNING, "no room"), reason, "1@08:00");
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.SUCCEEDED, "no room"), reason, "1@08:00");

    assertThat(written()).hasSize(2).extracting(Event::getType).containsOnly("Warning");
  }

  @ParameterizedTest
  @ValueSource(strings = {"JobSubmitted", "RollbackSucceeded", "TeardownCompleted"})
  void whatWentWellIsNone(String reason) {
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.SUCCEEDED, "up"), reason, "1@08:00");

    assertThat(written()).extracting(Event::getType).containsOnly("Normal");
  }

  @Test
  void theSameReportToldAgainIsOneEvent() {
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.PARKED, "no image"), "Parked", "1@08:00");
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.PARKED, "no image"), "Parked", "1@08:00");

    assertThat(written()).hasSize(1);
  }

  @Test
  void theSameTroubleAtTheNextAttemptIsAnotherEvent() {
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.PARKED, "no image"), "Parked", "1@08:00");
    events.tell(
        FlinkDeploymentStore.TYPE, report(OperationState.PARKED, "no image"), "Parked", "2@09:00");

    assertThat(written()).hasSize(2);
  }

  @Test
  void aMessageThatIsTooLongIsCutOff() {
    events.tell(
        FlinkDeploymentStore.TYPE,
        report(OperationState.SUCCEEDED, "x".repeat(5000)),
        "OperationSucceeded",
        "1@08:00");

    assertThat(written())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.getMessage()).hasSize(1024);
              assertThat(event.getType()).isEqualTo("Normal");
            });
  }

  /** FLINK-31860: in a namespace that is being deleted no event can be written. */
  @Test
  void anEventThatCannotBeWrittenStopsNothing() {
    ResourceRef nowhere =
        new ResourceRef(ref.kubernetes(), ref.kind(), "no-such-namespace", ref.name(), ref.uid());

    events.tell(
        FlinkDeploymentStore.TYPE,
        report(nowhere, OperationState.PARKED, "no image"),
        "Parked",
        "1@08:00");

    assertThat(written()).isEmpty();
  }

  private OperationReport report(OperationState state, String message) {
    return report(ref, state, message);
  }

  private static OperationReport report(ResourceRef ref, OperationState state, String message) {
    return new OperationReport(
        ref,
        new RunRef("Upgrade", "lane", "run"),
        state,
        "AwaitRunning",
        2,
        null,
        message,
        null,
        null,
        null,
        null);
  }

  private List<Event> written() {
    return client.v1().events().inNamespace(ref.namespace()).list().getItems();
  }
}
