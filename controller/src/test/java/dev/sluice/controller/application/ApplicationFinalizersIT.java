package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.support.ControllerUnderTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Lyft's operator has put on a resource, and would not take away any more. */
class ApplicationFinalizersIT extends ApplicationScenario {

  private static final String LYFT = "job.finalizers.flink.k8s.io";
  private static final String OTHER = "example.com/other";

  @Test
  void that_of_lyfts_operator_is_replaced_by_ours_and_no_other_is_touched() {
    create(LYFT, OTHER);

    soon().until(() -> finalizers().equals(List.of(OTHER, FlinkApplication.FINALIZER)));
  }

  @Test
  void one_that_comes_back_is_taken_away_again() {
    given_it_runs();

    merge(
        "{\"metadata\":{\"finalizers\":[\"%s\",\"%s\"]}}"
            .formatted(LYFT, FlinkApplication.FINALIZER));

    soon().until(() -> finalizers().equals(List.of(FlinkApplication.FINALIZER)));
  }

  @Test
  void one_that_was_deleted_before_the_takeover_is_let_go_once_its_deletion_is_carried_out() {
    withoutController(
        () -> {
          create(LYFT);
          ofLyft();
          api.client().resource(read()).delete();
        });

    soon().until(() -> isOpen("DeleteApplication"));
    assertThat(finalizers()).containsExactly(LYFT);

    says(ApplicationPhase.DELETING, OperationType.DELETE, OperationState.SUCCEEDED);
    soon().until(() -> read() == null);
  }

  @Test
  void one_that_was_deleted_before_anything_was_deployed_is_let_go_at_once() {
    withoutController(
        () -> {
          create(LYFT);
          api.client().resource(read()).delete();
        });

    soon().until(() -> read() == null);
    assertThat(temporal.summaries()).isEmpty();
  }

  @Test
  void one_that_somebody_else_holds_is_deleted_once_and_left_to_them() {
    given_it_runs();
    merge(
        "{\"metadata\":{\"finalizers\":[\"%s\",\"%s\"]}}"
            .formatted(OTHER, FlinkApplication.FINALIZER));
    api.client().resource(read()).delete();
    soon().until(() -> isOpen("DeleteApplication"));

    says(ApplicationPhase.DELETING, OperationType.DELETE, OperationState.SUCCEEDED);

    soon().until(() -> finalizers().equals(List.of(OTHER)));
    temporal.end(lane());
    merge("{\"metadata\":{\"annotations\":{\"sluice.dev/retry\":\"1\"}}}");
    merge("{\"metadata\":{\"finalizers\":[]}}");
    soon().until(() -> read() == null);
    assertThat(temporal.summaries()).filteredOn(it -> it.startsWith("delete")).hasSize(1);
  }

  private List<String> finalizers() {
    return read().getMetadata().getFinalizers();
  }

  private void withoutController(Runnable what) {
    controller.close();
    what.run();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
  }

  private void create(String... finalizers) {
    FlinkApplication manifest = manifest();
    manifest.getMetadata().setFinalizers(List.of(finalizers));
    api.client().resource(manifest).create();
  }

  private void ofLyft() {
    FlinkApplication running = read();
    running.setStatus(
        running.getStatus().withPhase(ApplicationPhase.RUNNING).withDeployHash("1a2b3c4d"));
    api.client().resource(running).updateStatus();
  }
}
