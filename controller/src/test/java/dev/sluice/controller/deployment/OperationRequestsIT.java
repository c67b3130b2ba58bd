package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.support.ControllerUnderTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What people ask for with annotations. */
class OperationRequestsIT extends ReconcilerScenario {

  @Test
  void an_abort_becomes_one_signal_even_across_a_restart_of_the_controller() {
    create(DeployedSpec.valid());
    soon().until(() -> temporal.signals(lane()).equals(List.of("retarget 1")));
    annotate("sluice.dev/abort", "wrong image");
    soon().until(() -> "wrong image".equals(handledAbort()));

    controller.close();
    controller = ControllerUnderTest.start(api, namespace, temporal, flink);
    annotate("sluice.dev/retry", "after the restart");
    soon().until(() -> temporal.signals(lane()).contains("retry"));

    assertThat(temporal.signals(lane())).containsOnlyOnce("abort wrong image", "retry");
  }

  @Test
  void an_abort_with_nothing_to_abort_is_answered_by_an_event() {
    given_generation_1_is_deployed();

    annotate("sluice.dev/abort", "too late");

    soon().until(() -> "too late".equals(handledAbort()));
    soon().until(() -> events("RequestIgnored").size() == 1);
  }

  @Test
  void what_comes_with_the_manifest_is_no_request() {
    FlinkDeployment manifest = manifest(DeployedSpec.valid());
    manifest
        .getMetadata()
        .setAnnotations(
            Map.of("sluice.dev/abort", "of an earlier life", "sluice.dev/retry", "too"));
    api.client().resource(manifest).create();

    soon().until(() -> "of an earlier life".equals(handledAbort()));
    soon().until(() -> temporal.signals(lane()).size() == 1);
    restartController();
    soon().until(() -> temporal.signals(lane()).size() > 1);

    assertThat(temporal.signals(lane())).containsOnly("retarget 1");
    assertThat(events("RequestSent")).isEmpty();
    assertThat(events("RequestIgnored")).isEmpty();
  }

  @Test
  void an_abort_while_the_run_was_terminated_reaches_the_one_that_replaces_it() {
    given_generation_1_is_deployed();
    image("flink:2.2");
    soon().until(() -> isOpen("Upgrade"));
    workflowSays(OperationType.UPGRADE, OperationState.RUNNING, 2, ReconciliationState.UPGRADING);
    String lost = runId();
    temporal.end(lane());

    annotate("sluice.dev/abort", "wrong image");

    soon().until(() -> temporal.signals(lane()).contains("abort wrong image"));
    assertThat(isOpen("Upgrade")).isTrue();
    assertThat(runId()).isNotEqualTo(lost);
    soon().until(() -> events("RequestSent").size() == 1);
    assertThat(events("RequestIgnored")).isEmpty();
  }

  @Test
  void a_request_made_while_Temporal_is_away_is_delivered_when_it_is_back() {
    create(DeployedSpec.valid());
    soon().until(() -> isOpen("Deploy"));
    workflowSays(OperationType.DEPLOY, OperationState.RUNNING, 1, ReconciliationState.UPGRADING);
    temporal.away(true);
    annotate("sluice.dev/abort", "wrong image");
    soon().until(() -> condition("Progressing").startsWith("Unknown/TemporalUnavailable"));

    restartController();
    temporal.away(false);

    soon().until(() -> temporal.signals(lane()).contains("abort wrong image"));
    soon().until(() -> "wrong image".equals(handledAbort()));
  }

  @Test
  void where_to_restore_from_alone_changes_nothing() {
    given_generation_1_is_deployed();
    given_the_controller_is_at_rest();

    annotate("sluice.dev/restore-from", "s3://bucket/savepoint-1");
    int asked = flink.jobsAsked();
    soon().until(() -> flink.jobsAsked() > asked + 5);

    assertThat(controller.writes()).isEmpty();
    assertThat(isOpen("Upgrade")).isFalse();
  }
}
