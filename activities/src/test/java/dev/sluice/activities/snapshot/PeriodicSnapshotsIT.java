package dev.sluice.activities.snapshot;

import static dev.sluice.activities.snapshot.PeriodicScenario.CHECKPOINTS;
import static dev.sluice.activities.snapshot.PeriodicScenario.ENABLED;
import static dev.sluice.activities.snapshot.PeriodicScenario.SAVEPOINTS;
import static dev.sluice.api.common.SnapshotType.CHECKPOINT;
import static dev.sluice.api.common.SnapshotType.SAVEPOINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.common.StatusSnapshots;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointFormatType;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.snapshot.PeriodicSnapshotActivities.CreateRequest;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a schedule starts, on a real API server, with the rights of the committed manifest. */
@ExtendWith(ApiServer.Extension.class)
class PeriodicSnapshotsIT {

  private static final Instant DUE = Instant.parse("2026-11-21T10:00:05Z");
  private static final String NAME = "orders-savepoint-periodic-20261121100005";
  private static final String CHECKPOINT_NAME = "orders-checkpoint-periodic-20261121100005";
  private static final String STILL = " is still being taken";

  private PeriodicScenario scenario;

  @BeforeEach
  void connect(ApiServer server) throws IOException {
    scenario = new PeriodicScenario(server);
  }

  @AfterEach
  void close() {
    scenario.close();
  }

  /** With savepoints and checkpoints each hour. */
  private ResourceRef deployed(String... more) {
    Map<String, String> keys =
        new HashMap<>(
            Map.of(
                SAVEPOINTS,
                "1 h",
                CHECKPOINTS,
                "1 h",
                "kubernetes.operator.savepoint.format.type",
                "NATIVE"));
    for (int i = 0; i < more.length; i += 2) {
      keys.put(more[i], more[i + 1]);
    }
    return scenario.deployed(FlinkVersion.V2_2, keys);
  }

  private String create(ResourceRef ref, int later) {
    return scenario.create(ref, SAVEPOINT, later);
  }

  @Test
  void theSnapshotOfATimeIsMadeOnceHoweverOftenItIsAskedFor() {
    ResourceRef ref = deployed();

    assertThat(create(ref, 0)).isEqualTo("made " + NAME);
    assertThat(create(ref, 0)).isEqualTo("made " + NAME);

    assertThat(scenario.made()).hasSize(1);
    FlinkStateSnapshot snapshot = scenario.made().get(0);
    assertThat(snapshot.getMetadata().getLabels())
        .containsEntry("snapshot.trigger-type", "PERIODIC")
        .containsEntry("job-reference.name", "orders")
        .containsEntry("sluice.dev/job-reference-uid", ref.uid())
        .containsEntry("app.kubernetes.io/managed-by", "sluice");
    assertThat(snapshot.getSpec().savepoint().formatType()).isEqualTo(SavepointFormatType.NATIVE);
    assertThat(scenario.ended).isEmpty();
  }

  @Test
  void thatOneCannotBeMadeIsToldOnceForEachTime() {
    ResourceRef ref = deployed();
    try (KubernetesClient powerless =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(scenario.worker.getConfiguration())
                    .withImpersonateUsername("system:serviceaccount:default:nobody")
                    .build())
            .build()) {
      PeriodicSnapshots refused =
          new PeriodicSnapshots(
              powerless, scenario.stores, scenario.flink, scenario.ended::add, scenario.worker);
      for (int attempt = 1; attempt <= 3; attempt++) {
        long due = (attempt == 3 ? DUE.plusSeconds(60) : DUE).toEpochMilli();
        assertThatThrownBy(
                () -> refused.create(new CreateRequest(ref, SAVEPOINT, due, "schedule-1")))
            .hasMessageContaining("forbidden");
      }
    }

    assertThat(scenario.admin.v1().events().inNamespace(scenario.namespace).list().getItems())
        .hasSize(2)
        .allSatisfy(event -> assertThat(event.getReason()).isEqualTo("SnapshotError"))
        .anySatisfy(
            event ->
                assertThat(event.getMessage())
                    .startsWith("The periodic savepoint of 2026-11-21T10:00:05Z cannot be made: ")
                    .contains("forbidden"));
    assertThat(scenario.ended).isEmpty();
  }

  /** Each of the two is held up by one of its own type, and by nothing else. */
  @Test
  void itIsSkippedWhileTheOneBeforeIsBeingTaken() {
    ResourceRef ref = deployed("kubernetes.operator.checkpoint.type", "CONFIGURED");

    assertThat(create(ref, 0)).isEqualTo("made " + NAME);
    assertThat(scenario.create(ref, CHECKPOINT, 0)).isEqualTo("made " + CHECKPOINT_NAME);

    assertThat(create(ref, 5)).isEqualTo("skipped: " + NAME + STILL);
    assertThat(scenario.create(ref, CHECKPOINT, 5))
        .isEqualTo("skipped: " + CHECKPOINT_NAME + STILL);
    assertThat(scenario.made())
        .hasSize(2)
        .filteredOn(it -> it.getSpec().savepoint() == null)
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.getSpec().checkpoint().typeOrFull())
                  .isEqualTo(CheckpointType.CONFIGURED);
              assertThat(it.getMetadata().getFinalizers()).as("its files are Flink's").isEmpty();
            });
  }

  @Test
  void withoutFlinkStateSnapshotsItIsRequestedInTheStatus() {
    ResourceRef ref = deployed(ENABLED, "false");

    assertThat(create(ref, 0)).isEqualTo("made " + NAME);
    assertThat(scenario.create(ref, CHECKPOINT, 0)).isEqualTo("made " + CHECKPOINT_NAME);
    assertThat(create(ref, 0)).as("an answer is lost").isEqualTo("made " + NAME);

    StatusSnapshots asked = scenario.status().snapshots();
    assertThat(asked.savepoint().name()).isEqualTo(NAME);
    assertThat(asked.savepoint().formatType()).isEqualTo("NATIVE");
    assertThat(asked.savepoint().isOpen()).isTrue();
    assertThat(asked.checkpoint().name()).isEqualTo(CHECKPOINT_NAME);
    assertThat(asked.checkpoint().formatType()).isEqualTo("FULL");
    assertThat(create(ref, 5)).isEqualTo("skipped: another one" + STILL);
    assertThat(scenario.made()).isEmpty();
  }

  @Test
  void itIsSkippedWhileTheJobIsNotUpOrNotKnownToBe() {
    ResourceRef ref = deployed();
    scenario.flink.job(FlinkJobState.RESTARTING, 0);
    assertThat(create(ref, 0)).startsWith("skipped: job ").contains("RESTARTING");

    scenario.flink.up(false);
    assertThat(create(ref, 0)).isEqualTo("skipped: the JobManager does not answer");
    assertThat(scenario.made()).isEmpty();
    assertThat(scenario.ended).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"SAVEPOINT,CHECKPOINT", "CHECKPOINT,SAVEPOINT"})
  void aScheduleThatNobodyAsksForIsEnded(SnapshotType asked, SnapshotType other) {
    ResourceRef ref =
        scenario.deployed(
            FlinkVersion.V2_2, Map.of(asked == SAVEPOINT ? SAVEPOINTS : CHECKPOINTS, "1 h"));

    assertThat(scenario.create(ref, other, 0)).startsWith("ended: ");
    assertThat(scenario.ended).containsExactly("schedule-1");
    assertThat(scenario.create(ref, asked, 0)).startsWith("made ");
  }

  @Test
  void aScheduleIsEndedWhenItsKeyWasRemovedWithoutAnOperation() {
    ResourceRef ref = deployed();
    merge("{\"spec\":{\"flinkConfiguration\":{\"%s\":null}}}".formatted(SAVEPOINTS));

    assertThat(create(ref, 0)).startsWith("ended: ");
    assertThat(scenario.made()).isEmpty();
    assertThat(scenario.ended).containsExactly("schedule-1");
  }

  @Test
  void theScheduleOfAResourceThatIsGoneIsEnded() {
    ResourceRef ref = deployed();
    ResourceRef earlier =
        new ResourceRef(ref.kubernetes(), ref.kind(), ref.namespace(), ref.name(), "earlier-uid");

    assertThat(create(earlier, 0)).startsWith("ended: ");
    assertThat(scenario.made()).isEmpty();
    assertThat(scenario.ended).containsExactly("schedule-1");
  }

  @Test
  void whatIsDeployedCountsWhileTheNewestSpecIsInvalid() {
    ResourceRef ref = deployed();
    merge(
        ("{\"spec\":{\"flinkConfiguration\":"
                + "{\"%s\":null,\"kubernetes.operator.savepoint.history.max.count\":\"few\"}}}")
            .formatted(SAVEPOINTS));

    assertThat(create(ref, 0)).isEqualTo("made " + NAME);
  }

  @Test
  void whatIsStillBeingTakenOfAnEarlierResourceOfTheNameHoldsNothingUp() {
    ResourceRef ref = deployed();
    create(ref, 0);
    FlinkStateSnapshot unused =
        scenario
            .admin
            .resource(scenario.made().get(0))
            .edit(
                it -> {
                  it.getMetadata().getLabels().put("sluice.dev/job-reference-uid", "earlier-uid");
                  return it;
                });

    assertThat(create(ref, 5)).startsWith("made ");
  }

  @Test
  void beforeFlink117OnlySavepointsAreTaken() {
    ResourceRef ref =
        scenario.deployed(FlinkVersion.V1_16, Map.of(CHECKPOINTS, "1 h", SAVEPOINTS, "1 h"));

    assertThat(scenario.create(ref, CHECKPOINT, 0))
        .isEqualTo("skipped: Flink takes checkpoints by request since 1.17");
    assertThat(create(ref, 0)).startsWith("made ");
  }

  private void merge(String patch) {
    FlinkDeployment unused =
        scenario
            .admin
            .resources(FlinkDeployment.class)
            .inNamespace(scenario.namespace)
            .withName("orders")
            .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }
}
