package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
  void eachRequestIsMeasuredByWhatItIsAboutAndItsOutcome() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    flink.answering(200, "{}").answering(404, "{}");
    Endpoint cluster = flink.cluster();
    Request job = new Request.Builder().url(cluster.url("jobs", JOB)).build();

    try (FlinkHttp http =
        new FlinkHttp(MockFlink.BOUNDED, MockFlink.LOOPBACK, RestTls.NONE, 1, registry)) {
      http.send(cluster, job, FlinkResponse::status);
      http.send(cluster, job, FlinkResponse::status);
      flink.close();
      assertThat(failureOf(() -> http.send(cluster, job, FlinkResponse::status))).isNotNull();
    }

    assertThat(
            registry.find("sluice.flink.requests").tags("method", "GET", "path", "jobs").timers())
        .extracting(it -> it.getId().getTag("outcome") + " " + it.count())
        .containsExactlyInAnyOrder("SUCCESS 1", "CLIENT_ERROR 1", "UNKNOWN 1");
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

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "503 | {'errors':['Service temporarily unavailable due to an ongoing leader election.']} | Unreachable | 503: Service temporarily unavailable due to an ongoing leader election.",
        "502 | <html><body>Bad gateway</body></html> | Unreachable | 502",
        "500 | {'errors':['Internal server error.','<Exception on server side:\\norg.x.FlinkJobNotFoundException: Could not find job (aa01)\\n\\tat x.Y.z(Y.java:1)\\n\\nEnd of exception on server side>']} | NotFound | 500: FlinkJobNotFoundException: Could not find job (aa01)",
        "404 | {'errors':['org.x.RestHandlerException: Job could not be found.\\n\\tat x.Y.z(Y.java:1)\\n']} | NotFound | 404: Job could not be found.",
        "400 | {'errors':['org.x.RestHandlerException: Request did not match expected format.\\n\\tat x.Y.z(Y.java:1)']} | Rejected | 400: Request did not match expected format.",
        "308 | {'errors':['The termination mode has been removed.']} | Rejected | 308: The termination mode has been removed.",
        "400 | {'errors':['java.io.IOException: s3://AKIA:hunter2@b/x: s3.secret-key=hunter2']} | Rejected | 400: IOException: s3://***@b/x: s3.secret-key=***",
        // another program says nothing about the job
        "404 | <html>404 page not found</html> | MalformedAnswer | 404 with no error of Flink's",
        "404 | {'message':'no such route'} | MalformedAnswer | 404 with no error of Flink's",
        "404 | {'errors':['Unable to load requested file /jobs/overview.']} | MalformedAnswer | 404: Unable to load requested file /jobs/overview."
      })
  void anAnswerIsJudgedByItsStatusAndItsWords(int status, String body, String kind, String words) {
    flink.answering(status, body.replace('\'', '"'));

    FlinkRestException failure = failureOfOverview();

    assertThat(failure.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(failure).hasMessage("default/orders: GET /jobs/overview answered " + words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "<html/>",
        "{}",
        "{'jobs':7}",
        "{'jobs':[",
        "{'jobs':null}",
        "{'jobs':[null]}",
        "{'jobs':[{'jid':'aa'}]}",
        "{'jobs':[{'jid':'a','name':'b','state':'RUNNING','start-time':1,'last-modification':1,'tasks':{'total':1,'running':1}}]}",
        "{'jobs':[{'jid':'a','name':'b','state':'RUNNING','start-time':null,'end-time':-1,'last-modification':1,'tasks':{'total':1,'running':1}}]}",
        "{'jobs':[{'jid':'a','name':'b','state':'RUNNING','start-time':1,'end-time':-1,'last-modification':1,'tasks':{'total':1}}]}"
      })
  void anAnswerWithoutWhatIsAskedForIsNotFlinks(String body) {
    flink.answering(200, body.replace('\'', '"'));

    assertThat(failureOfOverview())
        .isInstanceOf(MalformedAnswer.class)
        .hasMessageStartingWith("default/orders: GET /jobs/overview answered 200")
        .hasMessageNotContaining("\n");
  }

  @Test
  void theFieldThatIsMissingIsNamed() {
    flink.answering(
        200,
        "{\"jobs\":[{\"jid\":\"a\",\"name\":\"b\",\"state\":\"RUNNING\",\"start-time\":1,"
            + "\"last-modification\":1,\"tasks\":{\"total\":1,\"running\":1}}]}");

    assertThat(failureOfOverview()).hasMessageContaining("'jobs': 'end-time': ");
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
}
