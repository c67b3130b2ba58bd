package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.Savepoint;
import dev.sluice.api.common.SnapshotTrigger;
import dev.sluice.api.common.SnapshotTriggers;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.workflows.model.StatusLane;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a FlinkSessionJob asks for without a FlinkStateSnapshot has a run of its own, once. */
class SessionJobStatusSnapshotsIT extends SessionJobScenario {

  private static final String ENABLED = "kubernetes.operator.snapshot.resource.enabled";
  private static final String LIMIT = "kubernetes.operator.savepoint.history.max.count";

  private void asks(long nonce, boolean resources) {
    merge(
        ORDERS,
        "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"},\"job\":{\"savepointTriggerNonce\":%d}}}"
            .formatted(ENABLED, resources, nonce));
  }

  private void configured(String key, String value) {
    merge(ORDERS, "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"}}}".formatted(key, value));
    soon()
        .until(
            () ->
                job(ORDERS)
                    .getMetadata()
                    .getGeneration()
                    .equals(job(ORDERS).getStatus().observedGeneration()));
  }

  @Test
  void a_nonce_starts_one_run_beside_the_operations_and_makes_no_resource() {
    given_orders_runs();

    asks(5, false);

    soon().until(this::isTaken);
    String name = trigger().snapshot();
    assertThat(trigger()).isEqualTo(new SnapshotTrigger(5L, name, "CANONICAL"));
    assertThat(name).matches("orders-savepoint-manual-5-[0-9a-f]{8}");
    assertThat(savepoints()).startsWith("FlinkSessionJob-savepoint_" + namespace + "_orders_");
    assertThat(isOpen(job(ORDERS), "Upgrade")).as("no operation").isFalse();
    assertThat(snapshots()).isEmpty();
    assertThat(message(ORDERS, "Ready")).as("it is not ignored").doesNotContain("no effect");
    soon().until(() -> events(ORDERS, "SnapshotRequested").size() == 1);
    assertThat(events(ORDERS, "SnapshotRequested").get(0).getMessage())
        .isEqualTo(
            "A savepoint is taken for spec.job.savepointTriggerNonce 5; status.snapshots.savepoint"
                + " tells how it goes.");

    // when the controller was restarted and the run is gone: it is started again
    temporal.end(savepoints());
    restartController();
    soon().until(this::isTaken);

    // when it is done, it is not taken again, and the next one is as the key says then
    controller.close(); // it would start a run that is gone again, until it has read the status
    workerSays(name, "MANUAL", "COMPLETED", 0);
    temporal.end(savepoints());
    restartController();
    asks(6, true);
    soon().until(() -> snapshots().size() == 1);
    assertThat(isTaken()).isFalse();
    assertThat(snapshots().get(0).getMetadata().getName()).contains("-manual-6-");
  }

  @Test
  void another_nonce_ends_one_that_keeps_failing() {
    given_orders_runs();
    asks(5, false);
    soon().until(this::isTaken);
    String name = trigger().snapshot();
    workerSays(name, "MANUAL", "TRIGGER_PENDING", 3);

    asks(6, false);

    soon()
        .until(
            () ->
                temporal.signals(savepoints()).stream()
                    .anyMatch(it -> it.startsWith("giveUp " + name)));
    workerSays(name, "MANUAL", "ABANDONED", 3);
    soon().until(() -> Long.valueOf(6).equals(trigger().nonce()));
  }

  @Test
  void another_value_of_the_annotation_is_taken_into_the_status() {
    given_orders_runs();
    configured(ENABLED, "false");

    merge(ORDERS, "{\"metadata\":{\"annotations\":{\"sluice.dev/checkpoint\":\"before\"}}}");

    soon().until(() -> isOpen(lane(SnapshotType.CHECKPOINT), "Snapshot"));
    assertThat(snapshots()).isEmpty();
    soon().until(() -> events(ORDERS, "SnapshotRequested").size() == 1);
    assertThat(events(ORDERS, "SnapshotRequested").get(0).getMessage())
        .startsWith("A checkpoint is taken for sluice.dev/checkpoint=before; ");
    assertThat(job(ORDERS).getStatus().requests().checkpoint()).isEqualTo("before");
  }

  @Test
  void what_a_schedule_asked_for_has_its_run() {
    given_orders_runs();

    workerSays("orders-savepoint-periodic-20261121100005", "PERIODIC", "TRIGGER_PENDING", 0);

    soon().until(this::isTaken);
    assertThat(temporal.summaries())
        .contains(
            "snapshot %s/orders: savepoint orders-savepoint-periodic-20261121100005"
                .formatted(namespace));
  }

  /** W4: the nonce that Apache's operator was answering is answered with what it began. */
  @Test
  void what_apaches_operator_has_begun_is_taken_up_before_anything_is_asked_for() {
    given_orders_runs();
    controller.close();
    mergeStatus(
        ORDERS,
        """
        {"snapshotTriggers":null,"jobStatus":{"savepointInfo":
          {"triggerId":"abc","triggerTimestamp":7,"triggerType":"MANUAL","formatType":"NATIVE"}}}
        """);
    asks(5, true);

    restartController();

    soon().until(this::isTaken);
    assertThat(temporal.summaries())
        .contains("snapshot %s/orders: savepoint savepoint-abc".formatted(namespace));
    soon().until(() -> trigger() != null && Long.valueOf(5).equals(trigger().nonce()));
    assertThat(snapshots()).isEmpty();
  }

  @Test
  void the_savepoint_of_an_operation_is_in_the_history_of_the_status_once() {
    given_orders_runs();
    configured(ENABLED, "false");

    taken(ORDERS, PATH);

    soon().until(() -> isTold(PATH));
    assertThat(history()).containsExactly(PATH);

    // as if the controller had crashed before its write
    controller.close();
    mergeStatus(ORDERS, "{\"snapshotTriggers\":null}");
    restartController();
    soon().until(() -> isTold(PATH));
    assertThat(history()).containsExactly(PATH);
    assertThat(snapshots()).as("nor is one made later").isEmpty();
    assertThat(events(ORDERS, "SnapshotError")).isEmpty();
  }

  @Test
  void what_the_history_has_no_place_for_is_disposed_of_one_after_the_other() {
    given_orders_runs();
    configured(LIMIT, "2");

    history("file:/1", "file:/2", "file:/3");

    soon().until(() -> "file:/1".equals(removal()));
    soon().until(() -> isOpen(savepoints(), "DisposeSnapshot"));

    // when it is disposed of
    temporal.end(savepoints());
    history("file:/2", "file:/3");
    soon().until(() -> removal() == null);
  }

  private @Nullable SnapshotTriggers triggers() {
    return job(ORDERS).getStatus().snapshotTriggers();
  }

  private @Nullable SnapshotTrigger trigger() {
    return triggers() == null ? null : triggers().savepoint();
  }

  private @Nullable String removal() {
    return triggers() == null ? null : triggers().removal();
  }

  /** That it needs nothing more is written after the history. */
  private boolean isTold(String path) {
    return triggers() != null && triggers().upgrade() != null && history().contains(path);
  }

  private List<String> history() {
    return job(ORDERS).getStatus().savepointHistory().stream().map(Savepoint::location).toList();
  }

  private void history(String... locations) {
    long now = System.currentTimeMillis();
    String savepoints =
        Stream.of(locations)
            .map(it -> "{\"location\":\"%s\",\"timeStamp\":%d}".formatted(it, now))
            .collect(Collectors.joining(","));
    mergeStatus(
        ORDERS,
        "{\"jobStatus\":{\"savepointInfo\":{\"savepointHistory\":[%s]}}}".formatted(savepoints));
  }

  private void workerSays(String name, String trigger, String state, int failures) {
    String end =
        SnapshotState.valueOf(state).isFinal()
            ? ",\"resultTimestamp\":\"2026-11-21T08:00:00Z\""
            : "";
    mergeStatus(
        ORDERS,
        """
        {"snapshots":{"savepoint":{"name":"%s","triggerType":"%s","formatType":"CANONICAL","%s":"%s",
          "status":{"state":"%s","failures":%d%s}}}}
        """
            .formatted(
                name,
                trigger,
                trigger.equals("MANUAL") ? "newestManual" : "newestPeriodic",
                name,
                state,
                failures,
                end));
  }

  private boolean isTaken() {
    return isOpen(savepoints(), "Snapshot");
  }

  private String savepoints() {
    return lane(SnapshotType.SAVEPOINT);
  }

  private String lane(SnapshotType type) {
    return StatusLane.of(KubernetesCluster.of(api.client()).ref(job(ORDERS)), type).laneId();
  }
}
