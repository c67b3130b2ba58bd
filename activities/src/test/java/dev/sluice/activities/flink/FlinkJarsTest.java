package dev.sluice.activities.flink;

import static dev.sluice.activities.flink.MockFlink.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.flink.FlinkJars.RunAnswer;
import dev.sluice.activities.flink.FlinkJars.UploadedJar;
import dev.sluice.activities.flink.FlinkRestException.MalformedAnswer;
import dev.sluice.activities.flink.FlinkRestException.Rejected;
import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import dev.sluice.api.common.FlinkVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import mockwebserver3.RecordedRequest;
import mockwebserver3.SocketEffect;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

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
        new JarRun.Program("com.example.Orders", List.of("--topic", "orders"), 4),
        new JarRun.Restore("s3://b/sp/1", true, "NO_CLAIM"),
        Map.of("pipeline.name", "orders"));
  }

  private static JarRun plainRun() {
    return new JarRun(
        FlinkVersion.V2_2, JOB, new JarRun.Program(null, List.of(), null), null, Map.of());
  }

  private FlinkRestException failureOf(ThrowingCallable call) {
    return catchThrowableOfType(FlinkRestException.class, call);
  }

  private RunAnswer answered(int status, String body) {
    flink.answering(status, body);
    return jars.run(flink.cluster(), "u_job.jar", plainRun());
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

  @Test
  void anOldFlinkGetsNoConfigurationThatItWouldIgnore() {
    assertThat(run(FlinkVersion.V1_16).json().has("flinkConfiguration")).isFalse();
    assertThat(JarRun.takesConfiguration(FlinkVersion.V1_16)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"V1_13", "V1_14", "V1_15", "V1_16"})
  void aNewFlinkGetsTheConfigurationOfTheJob(FlinkVersion version) {
    assertThat(run(version).json().path("flinkConfiguration").path("pipeline.name").asText())
        .isEqualTo("orders");
  }

  @Test
  void aRunThatSaysNothingLeavesItToTheJar() throws IOException {
    answered(200, "{\"jobid\":\"" + JOB + "\"}");

    assertSent("/jars/u_job.jar/run", "{\"jobId\": \"" + JOB + "\"}");
  }

  @Test
  void anAcceptedRunIsSubmitted() {
    assertThat(answered(200, "{\"jobid\":\"" + JOB + "\",\"applicationId\":\"x\"}"))
        .isEqualTo(new RunAnswer.Submitted());
  }

  @Test
  void anotherJobThanTheOneAskedForIsMalformed() {
    flink.answering(200, "{\"jobid\":\"cccccccccccccccccccccccccccccc01\"}");

    assertThat(failureOf(() -> jars.run(flink.cluster(), "u_job.jar", plainRun())))
        .isInstanceOf(MalformedAnswer.class);
  }

  @Test
  void aJobIdThatIsTakenIsKnownAlready() {
    assertThat(
            answered(
                400,
                "{\"errors\":[\"org.apache.flink.runtime.rest.handler.RestHandlerException: Could"
                    + " not execute application.\\n\\tat x.Y.z(Y.java:1)\\nCaused by: org.apache"
                    + ".flink.runtime.client.DuplicateJobSubmissionException: Job has already been"
                    + " submitted.\"]}"))
        .isInstanceOfSatisfying(
            RunAnswer.KnownAlready.class,
            known -> assertThat(known.why()).contains("Job has already been submitted."));
  }

  @Test
  void aJarThatIsGoneIsMissing() {
    assertThat(
            answered(
                500,
                "{\"errors\":[\"Internal server error.\",\"<Exception on server side:\\norg.apache"
                    + ".flink.runtime.rest.handler.RestHandlerException: Jar file /x/u_job.jar"
                    + " does not exist\\n\\tat x.Y.z(Y.java:1)\"]}"))
        .isInstanceOf(RunAnswer.JarMissing.class);
  }

  @Test
  void aMainMethodThatFailsIsRefusedInItsWords() {
    assertThat(
            answered(
                400,
                "{\"errors\":[\"org.apache.flink.client.program.ProgramInvocationException: The"
                    + " main method caused an error: no topic\\n\\tat x.Y.z(Y.java:1)\"]}"))
        .isInstanceOfSatisfying(
            RunAnswer.Refused.class, refused -> assertThat(refused.why()).contains("no topic"));
  }

  @Test
  void aClassThatIsMissingIsRefusedAlthoughFlinkSays500() {
    assertThat(
            answered(
                500,
                "{\"errors\":[\"Internal server error.\",\"<Exception on server side:\\norg.apache"
                    + ".flink.client.program.ProgramInvocationException: The program's entry point"
                    + " class 'X' was not found in the jar file.\\n\\tat x.Y.z(Y.java:1)\"]}"))
        .isInstanceOf(RunAnswer.Refused.class);
  }

  /** Flink's high-availability storage may stall for longer than client.timeout. */
  @ParameterizedTest
  @ValueSource(ints = {400, 500})
  void aSubmissionThatTimedOutInsideFlinkLeavesOpenWhetherItRuns(int status) {
    flink.answering(
        status,
        "{\"errors\":[\"org.apache.flink.client.program.ProgramInvocationException: The main"
            + " method caused an error: Failed to execute job 'orders'.\\n\\tat"
            + " x.Y.z(Y.java:1)\\nCaused by: java.util.concurrent.TimeoutException: Invocation of"
            + " [LocalRpcInvocation(DispatcherGateway.submitJob(ExecutionPlan, Duration))] at"
            + " recipient [pekko://flink/user/rpc/dispatcher_0] timed out.\"]}");

    assertThat(failureOf(() -> jars.run(flink.cluster(), "u_job.jar", plainRun()))).isNotNull();
  }

  @Test
  void anyOther500LeavesOpenWhetherItRuns() {
    flink.answering(500, "{\"errors\":[\"Internal server error.\",\"timeout\"]}");

    assertThat(failureOf(() -> jars.run(flink.cluster(), "u_job.jar", plainRun())))
        .isInstanceOf(Unreachable.class);
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

  @Test
  void theListTellsIdsAndNames() {
    flink.answering(
        200,
        "{\"address\":\"http://x\",\"files\":[{\"id\":\"0a1b_job.jar\",\"name\":\"job.jar\","
            + "\"uploaded\":1,\"entry\":[]}]}");

    assertThat(jars.list(flink.cluster()))
        .containsExactly(new UploadedJar("0a1b_job.jar", "job.jar", Instant.ofEpochMilli(1)));
  }

  @Test
  void deletingWhatIsGoneIsDone() {
    flink.answering(400, "{\"errors\":[\"File 0a1b_job.jar does not exist in /tmp/x.\"]}");

    jars.delete(flink.cluster(), "0a1b_job.jar");

    assertThat(flink.asked().getRequestLine()).isEqualTo("DELETE /jars/0a1b_job.jar HTTP/1.1");
  }

  @Test
  void aDeletionThatIsRefusedIsAFailure() {
    flink.answering(403, "{\"errors\":[\"Web submission is disabled.\"]}");

    assertThat(failureOf(() -> jars.delete(flink.cluster(), "0a1b_job.jar")))
        .isInstanceOf(Rejected.class);
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
