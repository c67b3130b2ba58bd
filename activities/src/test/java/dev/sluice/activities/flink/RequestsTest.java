package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.common.CheckpointType;
import java.io.IOException;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent, letter by letter: Flink ignores a misspelled field without a word. */
class RequestsTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";
  private static final String TRIGGER = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01";
  private static final String ACCEPTED = "{\"request-id\":\"" + TRIGGER + "\"}";

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(FlinkRestOptions.defaults(), MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
  }

  private static void assertRequest(RecordedRequest request, String line, String body)
      throws IOException {
    assertThat(request.getRequestLine()).isEqualTo(line + " HTTP/1.1");
    JsonNode sent = new ObjectMapper().readTree(request.getBody().utf8());
    assertThat(sent).isEqualTo(new ObjectMapper().readTree(body));
  }

  @Test
  void aSavepointsTargetIsSpelledWithAHyphen() throws IOException {
    flink.answering(202, ACCEPTED);

    rest.triggerSavepoint(flink.cluster(), JOB, TRIGGER, "s3://b/sp", SavepointFormat.NATIVE);

    assertRequest(
        flink.asked(),
        "POST /jobs/" + JOB + "/savepoints",
        """
        {"cancel-job": false, "formatType": "NATIVE", "target-directory": "s3://b/sp",
         "triggerId": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01"}
        """);
  }

  @Test
  void aStopsTargetIsSpelledInCamelCase() throws IOException {
    flink.answering(202, ACCEPTED);

    rest.stopWithSavepoint(
        flink.cluster(), JOB, TRIGGER, "s3://b/sp", false, SavepointFormat.CANONICAL);

    assertRequest(
        flink.asked(),
        "POST /jobs/" + JOB + "/stop",
        """
        {"drain": false, "formatType": "CANONICAL", "targetDirectory": "s3://b/sp",
         "triggerId": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01"}
        """);
  }

  @Test
  void noTargetLeavesItToTheClustersConfiguration() throws IOException {
    flink.answering(202, ACCEPTED);

    rest.stopWithSavepoint(flink.cluster(), JOB, TRIGGER, null, true, SavepointFormat.CANONICAL);

    assertRequest(
        flink.asked(),
        "POST /jobs/" + JOB + "/stop",
        """
        {"drain": true, "formatType": "CANONICAL",
         "triggerId": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01"}
        """);
  }

  @Test
  void aCheckpointCarriesItsTriggerIdToo() throws IOException {
    flink.answering(202, ACCEPTED);

    rest.triggerCheckpoint(flink.cluster(), JOB, TRIGGER, CheckpointType.FULL);

    assertRequest(
        flink.asked(),
        "POST /jobs/" + JOB + "/checkpoints",
        """
        {"checkpointType": "FULL", "triggerId": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01"}
        """);
  }

  @Test
  void aDisposalIsAcceptedWith200() throws IOException {
    flink.answering(200, "{\"request-id\":\"d1ce\"}");

    Triggered triggered = rest.disposeSavepoint(flink.cluster(), "s3://b/sp/1");

    assertThat(triggered.triggerId()).isEqualTo("d1ce");
    assertRequest(
        flink.asked(), "POST /savepoint-disposal", "{\"savepoint-path\": \"s3://b/sp/1\"}");
  }

  @Test
  void cancellingSaysSoInTheQuery() {
    flink.answering(202, "{}");

    rest.cancel(flink.cluster(), JOB);

    assertThat(flink.asked().getRequestLine())
        .isEqualTo("PATCH /jobs/" + JOB + "?mode=cancel HTTP/1.1");
  }

  @Test
  void onlyTheNewestExceptionsAreAskedFor() {
    flink.answering(200, "{\"exceptionHistory\":{\"entries\":[],\"truncated\":false}}");

    rest.exceptions(flink.cluster(), JOB, 3);

    assertThat(flink.asked().getTarget()).isEqualTo("/jobs/" + JOB + "/exceptions?maxExceptions=3");
  }

  @Test
  void aClusterIsReachedThroughItsRestService() {
    flink.answering(200, "{\"jobs\":[]}");

    rest.jobsOverview(flink.cluster());

    assertThat(flink.asked().getHeaders().get("Host"))
        .isEqualTo("orders-rest.default:" + flink.cluster().port());
  }
}
