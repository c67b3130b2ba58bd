package dev.sluice.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.controller.support.ControllerUnderTest;
import java.util.List;
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
}
