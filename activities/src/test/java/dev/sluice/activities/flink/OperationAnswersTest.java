package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers about what Flink was asked to do, as Flink 1.20.5, 2.2.1 and 2.3.0 give them. */
class OperationAnswersTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";
  private static final String TRIGGER = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01";

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(FlinkRestOptions.defaults(), MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
  }

  @Test
  void aSavepointIsUnderWayWhileItsOperationIsNull() {
    flink.answering(200, "{\"status\":{\"id\":\"IN_PROGRESS\"},\"operation\":null}");

    assertThat(rest.savepointStatus(flink.cluster(), JOB, TRIGGER))
        .isEqualTo(new SavepointOperation.InProgress());
  }

  /** FLINK-37372: to read its serialized form, of a class that is not there, took for ever. */
  @Test
  void aSavepointsFailureIsSpelledWithAHyphen() {
    flink.answering(
        200,
        """
        {"status":{"id":"COMPLETED"},"operation":{"failure-cause":{"class":"java.io.IOException",
        "stack-trace":"java.io.IOException: disk full\\n\\tat x.Y.z(Y.java:1)",
        "serialized-throwable":"rO0ABXNy"}}}
        """);

    assertThat(rest.savepointStatus(flink.cluster(), JOB, TRIGGER))
        .isEqualTo(new SavepointOperation.Failed(new FlinkCause("IOException", "disk full")));
  }

  @Test
  void aCheckpointsFailureIsSpelledInCamelCase() {
    flink.answering(
        200,
        """
        {"status":{"id":"COMPLETED"},"operation":{"failureCause":{"class":"java.io.IOException",
        "stack-trace":"java.io.IOException: disk full\\n\\tat x.Y.z(Y.java:1)",
        "serialized-throwable":"rO0ABXNy"}}}
        """);

    assertThat(rest.checkpointStatus(flink.cluster(), JOB, TRIGGER))
        .isEqualTo(new CheckpointOperation.Failed(new FlinkCause("IOException", "disk full")));
  }

  @Test
  void anOperationTheJobManagerForgotIsUnknown() {
    String error =
        "{\"errors\":[\"org.apache.flink.runtime.rest.handler.RestHandlerException: There is no"
            + " savepoint operation with triggerId=bb01 for job aa01.\\n\\tat x.Y.z(Y.java:1)\"]}";
    flink.answering(404, error).answering(404, error).answering(404, error);

    assertThat(rest.savepointStatus(flink.cluster(), JOB, TRIGGER))
        .isEqualTo(new SavepointOperation.Unknown());
    assertThat(rest.checkpointStatus(flink.cluster(), JOB, TRIGGER))
        .isEqualTo(new CheckpointOperation.Unknown());
    assertThat(rest.disposalStatus(flink.cluster(), TRIGGER))
        .isEqualTo(new DisposalOperation.Unknown());
  }

  @Test
  void aDisposalsSuccessIsAnEmptyOperation() {
    flink.answering(200, "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{}}");

    assertThat(rest.disposalStatus(flink.cluster(), TRIGGER))
        .isEqualTo(new DisposalOperation.Completed());
  }

  @Test
  void cancellingAnEndedJobIsAnAnswerAndNoError() {
    flink.answering(409, "{\"errors\":[\"already reached another terminal state (FINISHED).\"]}");

    assertThat(rest.cancel(flink.cluster(), JOB)).isEqualTo(CancelAnswer.ALREADY_ENDED);
  }
}
