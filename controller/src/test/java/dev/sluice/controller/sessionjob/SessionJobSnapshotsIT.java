package dev.sluice.controller.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.JobKind;
import dev.sluice.api.snapshot.JobReference;
import dev.sluice.api.snapshot.RequestedSnapshot;
import dev.sluice.api.snapshot.TriggerType;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The FlinkStateSnapshots that the controller makes for a FlinkSessionJob. */
class SessionJobSnapshotsIT extends SessionJobScenario {

  private static final String SAVEPOINT = "file:/savepoints/savepoint";
  private static final String SAVEPOINTS = "kubernetes.operator.periodic.savepoint.interval";

  @Test
  void a_period_makes_one_and_another_once_that_has_ended() {
    given_orders_runs();
    configured(ORDERS, SAVEPOINTS, "1 s");

    soon().until(() -> snapshots().size() == 1);
    FlinkStateSnapshot first = snapshots().get(0);
    assertThat(first.getMetadata().getName()).matches("orders-savepoint-periodic-\\d{14}");
    assertThat(first.getSpec().jobReference())
        .isEqualTo(new JobReference(JobKind.FLINK_SESSION_JOB, ORDERS));
    soon().until(() -> isOpen(first, "Snapshot"));

    completed(first.getMetadata().getName(), "1");
    soon().until(() -> snapshots().size() == 2);
  }

  @Test
  void of_its_history_the_oldest_goes_and_that_of_another_job_stays() {
    given_orders_runs();
    given_it_runs(CLICKS, CLICKS_JOB);
    configured(ORDERS, "kubernetes.operator.savepoint.history.max.count", "1");
    periodic(CLICKS, 1);
    completed(CLICKS, 1);

    for (int i = 1; i <= 2; i++) {
      periodic(ORDERS, i);
      completed(ORDERS, i);
    }

    soon().until(() -> !names().contains(name(ORDERS, 1)));
    assertThat(names()).containsExactlyInAnyOrder(name(ORDERS, 2), name(CLICKS, 1));
    soon().until(() -> events(ORDERS, "SnapshotRemoved").size() == 1);
  }

  private void configured(String name, String key, String value) {
    merge(name, "{\"spec\":{\"flinkConfiguration\":{\"%s\":\"%s\"}}}".formatted(key, value));
  }

  private void periodic(String of, int number) {
    api.client()
        .resource(
            RequestedSnapshot.of(
                SnapshotType.SAVEPOINT,
                TriggerType.PERIODIC,
                JobKind.FLINK_SESSION_JOB,
                job(of).getMetadata(),
                "%014d".formatted(number),
                FlinkConfiguration.empty()))
        .create();
  }

  /** As the workflow says it. */
  private void completed(String of, int number) {
    completed(name(of, number), (of.equals(ORDERS) ? "" : of) + number);
  }

  private void completed(String name, String savepoint) {
    api.client()
        .resources(FlinkStateSnapshot.class)
        .inNamespace(namespace)
        .withName(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\":{\"state\":\"COMPLETED\",\"path\":\"%s-%s\"}}"
                .formatted(SAVEPOINT, savepoint));
  }

  private static String name(String of, int number) {
    return "%s-savepoint-periodic-%014d".formatted(of, number);
  }

  private Set<String> names() {
    return snapshots().stream().map(it -> it.getMetadata().getName()).collect(Collectors.toSet());
  }
}
