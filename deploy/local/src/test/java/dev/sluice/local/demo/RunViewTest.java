package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class RunViewTest {

  @Test
  void readsWhatTemporalDescribes() throws Exception {
    RunView run =
        run(
            "RUNNING",
            """
            ,"pendingActivities":[{"attempt":3,"lastFailure":{"message":"no answer"}}]
            """);

    assertThat(run)
        .isEqualTo(
            new RunView(
                "lane", "r1", "Upgrade", "WORKFLOW_EXECUTION_STATUS_RUNNING", 3, "no answer"));
  }

  @Test
  void withoutAPendingActivityNoStepIsInFlight() throws Exception {
    assertThat(run("RUNNING", "").attempt()).isZero();
  }

  @Test
  void aRunThatHandedItsLaneOverIsNeitherOpenNorCompleted() throws Exception {
    RunView run = run("CONTINUED_AS_NEW", "");

    assertThat(run.isOpen()).isFalse();
    assertThat(run.isCompleted()).isFalse();
  }

  @Test
  void aRunThatEndedWellIsCompleted() throws Exception {
    assertThat(run("COMPLETED", "").isCompleted()).isTrue();
  }

  private static RunView run(String status, String more) throws JsonProcessingException {
    return RunView.of(
        new ObjectMapper()
            .readTree(
                """
                {"workflowExecutionInfo":{"execution":{"workflowId":"lane","runId":"r1"},
                  "type":{"name":"Upgrade"},"status":"WORKFLOW_EXECUTION_STATUS_%s"}%s}
                """
                    .formatted(status, more)));
  }
}
