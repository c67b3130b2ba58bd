package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.NotFound;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import java.time.DateTimeException;
import mockwebserver3.SocketEffect;
import okhttp3.Request;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers, and silence, mean. */
class FaultsTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest = new OkHttpFlinkRest(MockFlink.BOUNDED, MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
  }

  private FlinkRestException failureOf(ThrowingCallable call) {
    return catchThrowableOfType(FlinkRestException.class, call);
  }

  private FlinkRestException failureOfOverview() {
    return failureOf(() -> rest.jobsOverview(flink.cluster()));
  }

  @Test
  void nobodyListeningIsUnreachable() {
    Endpoint closed = flink.cluster();
    flink.close();

    assertThat(failureOf(() -> rest.jobsOverview(closed)))
        .isInstanceOf(Unreachable.class)
        .hasMessageStartingWith(
            "default/orders: GET /jobs/overview got no answer: ConnectException:");
  }

  @Test
  void aHostThatIsNotThereIsUnreachable() {
    try (OkHttpFlinkRest lost =
        new OkHttpFlinkRest(
            MockFlink.BOUNDED,
            host -> {
              throw new java.net.UnknownHostException(host);
            })) {
      assertThat(failureOf(() -> lost.jobsOverview(flink.cluster())))
          .isInstanceOf(Unreachable.class)
          .hasMessageContaining("orders-rest.default");
    }
  }

  @Test
  void silenceIsUnreachableAfterTheReadTimeout() {
    flink.answering(response(200, "{}").onResponseStart(SocketEffect.Stall.INSTANCE).build());

    try (OkHttpFlinkRest impatient = new OkHttpFlinkRest(MockFlink.IMPATIENT, MockFlink.LOOPBACK)) {
      assertThat(failureOf(() -> impatient.jobsOverview(flink.cluster())))
          .isInstanceOf(Unreachable.class)
          .hasMessageContaining("imeout");
    }
  }

  @Test
  void anAnswerThatBreaksOffIsUnreachable() {
    flink.answering(
        response(200, "{\"jobs\":[" + " ".repeat(5_000) + "]}")
            .onResponseBody(new SocketEffect.CloseSocket())
            .build());

    assertThat(failureOfOverview()).isInstanceOf(Unreachable.class);
  }

  @Test
  void anElectionInProgressIsUnreachable() {
    flink.answering(
        503,
        "{\"errors\":[\"Service temporarily unavailable due to an ongoing leader election. Please"
            + " refresh.\"]}");

    assertThat(failureOfOverview())
        .isInstanceOf(Unreachable.class)
        .hasMessage(
            "default/orders: GET /jobs/overview answered 503: Service temporarily unavailable due"
                + " to an ongoing leader election. Please refresh.");
  }

  @Test
  void aProxysErrorPageIsUnreachableWithoutItsMarkup() {
    flink.answering(502, "<html><body>Bad gateway</body></html>");

    assertThat(failureOfOverview())
        .isInstanceOf(Unreachable.class)
        .hasMessage("default/orders: GET /jobs/overview answered 502");
  }

  @Test
  void a500ForAJobFlinkDoesNotKnowIsNotFound() {
    flink.answering(
        500,
        "{\"errors\":[\"Internal server error.\",\"<Exception on server side:\\norg.apache.flink."
            + "runtime.messages.FlinkJobNotFoundException: Could not find Flink job (aa01)\\n\\tat"
            + " x.Y.z(Y.java:1)\\n\\nEnd of exception on server side>\"]}");

    assertThat(failureOf(() -> rest.checkpoints(flink.cluster(), JOB)))
        .isInstanceOf(NotFound.class)
        .hasMessageEndingWith(
            "/checkpoints answered 500: FlinkJobNotFoundException: Could not find Flink job (aa01)");
  }

  @Test
  void a404OfFlinksIsNotFound() {
    flink.answering(
        404,
        "{\"errors\":[\"org.apache.flink.runtime.rest.handler.RestHandlerException: Job could not"
            + " be found.\\n\\tat x.Y.z(Y.java:1)\\n\"]}");

    assertThat(failureOf(() -> rest.cancel(flink.cluster(), JOB)))
        .isInstanceOf(NotFound.class)
        .hasMessageEndingWith("answered 404: Job could not be found.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>404 page not found</html>",
        "",
        "{\"message\":\"no such route\"}",
        "{\"errors\":[\"Unable to load requested file /jobs/overview.\"]}"
      })
  void a404OfAnotherProgramSaysNothingAboutTheJob(String body) {
    flink.answering(404, body);

    assertThat(failureOfOverview()).isInstanceOf(MalformedAnswer.class);
  }

  @Test
  void a400IsRejectedWithFlinksWordsAndNoStackTrace() {
    flink.answering(
        400,
        "{\"errors\":[\"org.apache.flink.runtime.rest.handler.RestHandlerException: Request did not"
            + " match expected format SavepointTriggerRequestBody.\\n"
            + "\\tat x.Y.z(Y.java:1)\"]}");

    assertThat(failureOfOverview())
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.status()).isEqualTo(400))
        .hasMessage(
            "default/orders: GET /jobs/overview answered 400: Request did not match expected format"
                + " SavepointTriggerRequestBody.");
  }

  @Test
  void aRemovedCallIsRejectedAndNotFollowed() {
    flink.answering(308, "{\"errors\":[\"The termination mode has been removed.\"]}");

    assertThat(failureOfOverview()).isInstanceOf(Rejected.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<html/> | no JSON object",
        "[] | no JSON object",
        "{} | field 'jobs' is not there",
        "{\"jobs\":7} | field 'jobs' is NUMBER, not a list",
        "{\"jobs\":[{\"jid\":7}]} | field 'end-time' is not there",
        "{\"jobs\":[ | no JSON object"
      })
  void anAnswerThatIsNotFlinksIsMalformed(String body, String why) {
    flink.answering(200, body);

    assertThat(failureOfOverview()).isInstanceOf(MalformedAnswer.class).hasMessageContaining(why);
  }

  @Test
  void anAnswerThatCannotBeReadIsMalformedWhateverItsReaderThrows() {
    flink.answering(200, "{}");
    try (FlinkHttp http = new FlinkHttp(MockFlink.BOUNDED, MockFlink.LOOPBACK, 1)) {
      Request request = new Request.Builder().url(flink.cluster().url()).build();

      assertThat(
              failureOf(
                  () ->
                      http.send(
                          flink.cluster(),
                          request,
                          answer -> {
                            throw new DateTimeException("beyond the end of time");
                          })))
          .isInstanceOf(MalformedAnswer.class)
          .hasMessageContaining("beyond the end of time");
    }
  }

  @Test
  void anAnswerBeyondTheBoundIsMalformedAndNotRead() {
    flink.answering(200, "{\"jobs\":[]," + " ".repeat(20_000) + "}");

    assertThat(failureOfOverview())
        .isInstanceOf(MalformedAnswer.class)
        .hasMessageEndingWith("answered more than 10000 bytes");
  }

  @Test
  void anOperationUnderAnotherIdThanOursIsMalformed() {
    flink.answering(202, "{\"request-id\":\"cccccccccccccccccccccccccccccc01\"}");

    assertThat(
            failureOf(
                () ->
                    rest.triggerSavepoint(
                        flink.cluster(),
                        JOB,
                        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb01",
                        null,
                        SavepointFormat.CANONICAL)))
        .isInstanceOf(MalformedAnswer.class);
  }

  @Test
  void noMessageCarriesCredentials() {
    flink.answering(
        400,
        "{\"errors\":[\"java.io.IOException: s3://AKIA:hunter2@b/x: s3.secret-key=hunter2\"]}");

    assertThat(failureOfOverview().getMessage()).contains("s3://***@b/x").doesNotContain("hunter2");
  }
}
