package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import dev.sluice.api.common.FlinkVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What is sent for jars and runs, and what the answers mean. */
class FlinkJarsTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkJars jars =
      new OkHttpFlinkJars(OkHttpFlinkJars.options(Duration.ofMinutes(2)), MockFlink.LOOPBACK);
  private final OkHttpFlinkRest rest = new OkHttpFlinkRest(MockFlink.BOUNDED, MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    jars.close();
    flink.close();
  }

  private static JarRun run(FlinkVersion version) {
    return new JarRun(
        version,
        JOB,
        "com.example.Orders",
        List.of("--topic", "orders"),
        4,
        "s3://b/sp/1",
        true,
        "NO_CLAIM",
        Map.of("pipeline.name", "orders"));
  }

  private static JarRun plainRun() {
    return new JarRun(FlinkVersion.V2_2, JOB, null, List.of(), null, null, false, null, Map.of());
  }

  private FlinkRestException failureOf(ThrowingCallable call) {
    return catchThrowableOfType(FlinkRestException.class, call);
  }

  private void assertSent(String path, String body) throws IOException {
    RecordedRequest request = flink.asked();
    assertThat(request.getRequestLine()).isEqualTo("POST " + path + " HTTP/1.1");
    assertThat(new ObjectMapper().readTree(request.getBody().utf8()))
        .isEqualTo(new ObjectMapper().readTree(body));
  }

  @Test
  void aRunCarriesEverythingUnderItsJobId() throws IOException {
    flink.answering(200, "{\"jobid\":\"" + JOB + "\"}");

    jars.run(flink.cluster(), "u_job.jar", run(FlinkVersion.V1_20));

    assertSent(
        "/jars/u_job.jar/run",
        """
        {"jobId": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01", "entryClass": "com.example.Orders",
         "programArgsList": ["--topic", "orders"], "parallelism": 4,
         "savepointPath": "s3://b/sp/1", "allowNonRestoredState": true, "claimMode": "NO_CLAIM",
         "flinkConfiguration": {"pipeline.name": "orders"}}
        """);
  }

  @Test
  void theModeOfRestoringHasItsOldNameBefore1_20() {
    assertThat(run(FlinkVersion.V1_19).json().path("restoreMode").asText()).isEqualTo("NO_CLAIM");
    assertThat(run(FlinkVersion.V1_19).json().has("claimMode")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"V1_13", "V1_14", "V1_15", "V1_16"})
  void aNewFlinkGetsTheConfigurationOfTheJob(FlinkVersion version) {
    assertThat(run(version).json().path("flinkConfiguration").path("pipeline.name").asText())
        .isEqualTo("orders");
  }

  /** An exception leaves open whether the job runs. */
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | '\"jobid\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01\",\"applicationId\":\"x\"' | Submitted",
        "200 | '\"jobid\":\"cccccccccccccccccccccccccccccc01\"' | MalformedAnswer",
        "400 | '\"errors\":[\"x.RestHandlerException: Could not execute.\\n\\tat x.Y.z(Y.java:1)\\nCaused by: x.DuplicateJobSubmissionException: Job has already been submitted.\"]' | KnownAlready",
        "500 | '\"errors\":[\"Internal server error.\",\"<Exception on server side:\\nx.RestHandlerException: Jar file /x/u_job.jar does not exist\\n\\tat x.Y.z(Y.java:1)\"]' | JarMissing",
        "400 | '\"errors\":[\"x.ProgramInvocationException: The main method caused an error: File /in does not exist\"]' | Refused",
        "500 | '\"errors\":[\"Internal server error.\",\"<Exception on server side:\\nx.ProgramInvocationException: The entry point class was not found.\"]' | Refused",
        // high-availability storage may stall for longer than client.timeout
        "400 | '\"errors\":[\"x.ProgramInvocationException: Failed to execute job.\\nCaused by: x.TimeoutException: Invocation of [LocalRpcInvocation(DispatcherGateway.submitJob(ExecutionPlan))] timed out.\"]' | Rejected",
        "500 | '\"errors\":[\"x.ProgramInvocationException: Failed to execute job.\\nCaused by: x.TimeoutException: Invocation of [LocalRpcInvocation(DispatcherGateway.submitJob(ExecutionPlan))] timed out.\"]' | Unreachable",
        "500 | '\"errors\":[\"Internal server error.\",\"timeout\"]' | Unreachable"
      })
  void anAnswerToARunSaysWhatIsKnownOfTheJob(int status, String body, String meaning) {
    flink.answering(status, "{" + body + "}");
    Object seen;
    try {
      seen = jars.run(flink.cluster(), "u_job.jar", plainRun());
    } catch (FlinkRestException open) {
      seen = open;
    }
    assertThat(seen.getClass().getSimpleName()).isEqualTo(meaning);
  }

  @Test
  void aLostAnswerLeavesOpenWhetherItRuns() {
    flink.answering(response(200, "{}").onResponseStart(new SocketEffect.CloseSocket()).build());

    assertThat(failureOf(() -> jars.run(flink.cluster(), "u_job.jar", plainRun())))
        .isInstanceOf(Unreachable.class);
  }

  @Test
  void anUploadIsAFormWithTheJarUnderItsName(@TempDir Path folder) throws IOException {
    Path jar = Files.writeString(folder.resolve("some.tmp"), "bytes of a jar");
    flink.answering(
        200, "{\"filename\":\"/tmp/flink-web-upload/0a1b_job.jar\",\"status\":\"success\"}");

    String uploaded = jars.upload(flink.cluster(), jar, "job.jar");

    assertThat(uploaded).isEqualTo("0a1b_job.jar");
    RecordedRequest request = flink.asked();
    assertThat(request.getRequestLine()).isEqualTo("POST /jars/upload HTTP/1.1");
    assertThat(request.getBody().utf8())
        .contains("name=\"jarfile\"; filename=\"job.jar\"", "bytes of a jar");
  }

  /** Also where it is not told. */
  @ParameterizedTest(name = "{0}, {1} at {2}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "2.2.1 | flink-jar-runner-thread-2 | Orders.main | true",
        "1.20-SNAPSHOT | flink-jar-runner-thread-2 | Orders.main | true",
        "2.2.1 | flink-pekko.actor-7 | Orders.main | false",
        "2.2.1 | cluster-io-thread-1 | FileSystemJobResultStore.hasJobResultEntryInternal | true",
        "2.3.0 | flink-pekko.actor-7 | x | true",
        "3 | flink-pekko.actor-7 | x | true"
      })
  void aMainMethodMaySubmitItsJob(String version, String thread, String stack, boolean maySubmit) {
    flink.answering(
        200, "{\"flink-version\":\"%s\",\"taskmanagers\":0,\"slots-total\":0}".formatted(version));
    flink.answering(
        200,
        "{\"threadInfos\":[{\"threadName\":\"%s\",\"stringifiedThreadInfo\":\"%s\"}]}"
            .formatted(thread, stack));

    assertThat(jars.maySubmit(flink.cluster())).isEqualTo(maySubmit);
  }

  @Test
  void deletingWhatIsGoneIsDone() {
    flink.answering(400, "{\"errors\":[\"File 0a1b_job.jar does not exist in /tmp/x.\"]}");

    jars.delete(flink.cluster(), "0a1b_job.jar");

    assertThat(flink.asked().getRequestLine()).isEqualTo("DELETE /jars/0a1b_job.jar HTTP/1.1");
  }

  /** What a start leaves behind is cleaned up when that has timed out, after minutes. */
  @Test
  void aJobManagerThatHangsIsNotWaitedForWithJars() {
    MockResponse silent = response(200, "{}").onResponseStart(SocketEffect.Stall.INSTANCE).build();
    flink.answering(silent).answering(silent);
    try (OkHttpFlinkJars hasty =
        new OkHttpFlinkJars(
            OkHttpFlinkJars.options(Duration.ofMinutes(2)),
            MockFlink.LOOPBACK,
            RestTls.NONE,
            Duration.ofMillis(50))) {

      assertThat(failureOf(() -> hasty.list(flink.cluster())))
          .hasMessage("default/orders: GET /jars got no answer in time");
      assertThat(failureOf(() -> hasty.delete(flink.cluster(), "u_job.jar")))
          .hasMessage("default/orders: DELETE /jars/u_job.jar got no answer in time");
    }
  }

  @Test
  void aRunThatTakesLongHoldsUpNoOtherCallToItsCluster() {
    flink.answering(response(200, "{}").onResponseStart(SocketEffect.Stall.INSTANCE).build());
    CompletableFuture<RunAnswer> slow =
        CompletableFuture.supplyAsync(() -> jars.run(flink.cluster(), "u_job.jar", plainRun()));
    flink.asked();
    flink.answering(200, "{\"jobs\":[]}");

    assertThat(rest.jobsOverview(flink.cluster()).jobs()).isEmpty();
    assertThat(slow).isNotDone();
  }
}
