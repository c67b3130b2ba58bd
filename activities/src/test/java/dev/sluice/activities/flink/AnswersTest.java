package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as Flink 1.20.5, 2.2.1 and (fields only) 2.3.0 give them; the ITs ask real ones. */
class AnswersTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";

  private static final String VERTICES =
      """
      {"vertices": [
        {"id": "cccccccccccccccccccccccccccccc01", "name": "Source", "parallelism": 2, "maxParallelism": 128},
        {"id": "cccccccccccccccccccccccccccccc02", "name": "Sink", "parallelism": 2, "maxParallelism": 128}
      ]}
      """;

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(FlinkRestOptions.defaults(), MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
  }

  @Test
  void jobsMayHaveMoreFieldsThanAreKnown() {
    flink.answering(
        200,
        """
        {"jobs":[{"jid":"aa01","name":"counter","start-time":1795248218556,"end-time":-1,
        "duration":3097,"state":"RUNNING","last-modification":1795248220791,"tasks":{"running":2,
        "canceling":0,"canceled":0,"total":3,"created":0,"scheduled":1,"deploying":0,
        "reconciling":0,"finished":0,"initializing":0,"failed":0},"pending-operators":0,
        "jobType":"STREAMING","schedulerType":"Default"}],"later":{"more":[1]}}
        """);

    JobOverview job = rest.jobsOverview(flink.cluster()).job("aa01").orElseThrow();

    assertThat(job.state()).isEqualTo(FlinkJobState.RUNNING);
    assertThat(job.times().start()).isEqualTo(Instant.ofEpochMilli(1795248218556L));
    assertThat(job.times().end()).isEmpty();
    assertThat(job.times().unchangedFor(Instant.EPOCH)).isEqualTo(Duration.ofMillis(862));
    assertThat(job.tasks().display()).isEqualTo("2 of 3 tasks running, 1 scheduled");
  }

  @Test
  void theTimeSinceTheLastHeartbeatOfATaskManagerIsTheTimeOfIt() {
    flink.answering(
        200,
        """
        {"taskmanagers":[{"id":"10.0.0.7:6122-1","path":"akka.tcp://flink@10.0.0.7/user/rpc",
        "dataPort":6121,"timeSinceLastHeartbeat":1795248218556,"slotsNumber":4,"freeSlots":1}]}
        """);

    assertThat(rest.taskManagers(flink.cluster()))
        .containsExactly(new TaskManagerOverview(Instant.ofEpochMilli(1795248218556L), 4, 1));
  }

  @Test
  void anEndedJobHasAnEndTime() {
    flink.answering(
        200,
        """
        {"jobs":[{"jid":"aa01","name":"counter","start-time":5,"end-time":7,"state":"FINISHED",
        "last-modification":7,"tasks":{"running":0,"total":2,"finished":2}}]}
        """);

    JobOverview job = rest.jobsOverview(flink.cluster()).job("aa01").orElseThrow();

    assertThat(job.times().end()).contains(Instant.ofEpochMilli(7));
    assertThat(job.times().unchangedFor(Instant.ofEpochMilli(9))).isEqualTo(Duration.ofMillis(2));
  }

  @Test
  void theNewestCheckpointAndSavepointInProgressAreToldAndNotTheOneThatStopsTheJob() {
    flink.answering(
        200,
        """
        {"counts":{"restored":0,"total":4,"in_progress":3,"completed":1,"failed":0},
        "latest":{"completed":null,"savepoint":null,"failed":null,"restored":null},
        "history":[
        {"id":10,"status":"IN_PROGRESS","is_savepoint":true,"trigger_timestamp":950,
        "checkpoint_type":"SYNC_SAVEPOINT"},
        {"id":9,"status":"IN_PROGRESS","is_savepoint":true,"trigger_timestamp":900,
        "checkpoint_type":"SAVEPOINT"},
        {"id":8,"status":"IN_PROGRESS","is_savepoint":false,"trigger_timestamp":800},
        {"id":7,"status":"IN_PROGRESS","is_savepoint":false,"trigger_timestamp":700},
        {"id":6,"status":"COMPLETED","is_savepoint":false,"trigger_timestamp":850}]}
        """);

    Checkpoints checkpoints = rest.checkpoints(flink.cluster(), JOB).orElseThrow();

    assertThat(checkpoints.pendingSince()).contains(Instant.ofEpochMilli(800));
    assertThat(checkpoints.savepointSince()).contains(Instant.ofEpochMilli(900));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"latest_ack_timestamp\":9,', 9",
    "'\"latest_ack_timestamp\":-1,', ",
    "'', ",
  })
  void aCheckpointIsCompletedWhenTheLastTaskAcknowledgesIt(String said, @Nullable Long millis) {
    flink.answering(
        200,
        """
        {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},
        "latest":{"completed":{"id":5,"is_savepoint":false,"trigger_timestamp":7,%s
        "checkpoint_type":"CHECKPOINT","external_path":"file:/s","discarded":false}}}
        """
            .formatted(said));

    Checkpoints checkpoints = rest.checkpoints(flink.cluster(), JOB).orElseThrow();

    assertThat(checkpoints.latestCompleted().orElseThrow().completedAt())
        .isEqualTo(Optional.ofNullable(millis).map(Instant::ofEpochMilli));
  }

  /** FLINK-39043: such a checkpoint is not known, and stops nothing else. */
  @Test
  void aCheckpointWithoutAnOutsidePathHasNone() {
    flink.answering(
        200,
        """
        {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},
        "latest":{"completed":{"id":5,"is_savepoint":false,"trigger_timestamp":7,
        "checkpoint_type":"CHECKPOINT",
        "external_path":"<checkpoint-not-externally-addressable>","discarded":false}}}
        """);

    Checkpoints checkpoints = rest.checkpoints(flink.cluster(), JOB).orElseThrow();

    assertThat(checkpoints.latestCompleted().orElseThrow().externalPath()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "false, '\"checkpoint_type\":\"CHECKPOINT\",', CHECKPOINT",
    "false, '\"checkpoint_type\":\"UNALIGNED_CHECKPOINT\",', CHECKPOINT",
    "true, '\"checkpoint_type\":\"SAVEPOINT\",', SAVEPOINT",
    "true, '\"checkpoint_type\":\"SYNC_SAVEPOINT\",', STOP_SAVEPOINT",
    "true, '', STOP_SAVEPOINT"
  })
  void theSavepointThatAJobWasStoppedWithIsToldFromOthers(
      boolean savepoint, String type, Checkpoints.Kind kind) {
    flink.answering(
        200,
        """
        {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},
        "latest":{"completed":{"id":5,"is_savepoint":%s,"trigger_timestamp":7,%s
        "external_path":"file:/s","discarded":false}}}
        """
            .formatted(savepoint, type));

    Checkpoints checkpoints = rest.checkpoints(flink.cluster(), JOB).orElseThrow();

    assertThat(checkpoints.latestCompleted().orElseThrow().kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "'\"externalization\":{\"enabled\":true,\"delete_on_cancellation\":false},', RETAINED",
    "'\"externalization\":{\"enabled\":true,\"delete_on_cancellation\":true},', DELETED",
    "'\"externalization\":{\"enabled\":false,\"delete_on_cancellation\":true},', DELETED",
    "'', UNKNOWN"
  })
  void theRetentionOfCheckpointsIsRead(String externalization, Retention retention) {
    flink.answering(200, "{\"mode\":\"exactly_once\",%s\"timeout\":7}".formatted(externalization));

    assertThat(rest.checkpointSettings(flink.cluster(), JOB))
        .contains(new CheckpointSettings(retention, Duration.ofMillis(7)));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"interval\":2000,', 2000",
    "'\"interval\":2000,\"min_pause\":500,', 2000",
    "'\"interval\":2000,\"min_pause\":7000,', 7000",
    "'\"interval\":9223372036854775807,',",
    "'',"
  })
  void aJobTellsHowOftenItTakesCheckpointsByItself(String interval, @Nullable Long ms) {
    flink.answering(200, "{\"mode\":\"exactly_once\",%s\"timeout\":7}".formatted(interval));

    assertThat(rest.checkpointSettings(flink.cluster(), JOB).orElseThrow().interval())
        .isEqualTo(Optional.ofNullable(ms).map(Duration::ofMillis));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Checkpointing has not been enabled.",
        "Checkpointing is not enabled for this job (aa01)."
      })
  void aJobThatCannotTakeCheckpointsHasNoStatisticsAndNoSettings(String words) {
    String error =
        "{\"errors\":[\"org.apache.flink.runtime.rest.handler.RestHandlerException: %s\\n\\tat x.Y.z(Y.java:1)\"]}"
            .formatted(words);
    flink.answering(404, error).answering(404, error);

    assertThat(rest.checkpoints(flink.cluster(), JOB)).isEmpty();
    assertThat(rest.checkpointSettings(flink.cluster(), JOB)).isEmpty();
  }

  @Test
  void aJobThatIsNotKnownIsNotTakenForOneWithoutCheckpoints() {
    flink.answering(
        404,
        "{\"errors\":[\"org.apache.flink.runtime.messages.FlinkJobNotFoundException: Could not find"
            + " Flink job (aa01)\"]}");

    assertThat(catchThrowable(() -> rest.checkpoints(flink.cluster(), JOB)))
        .isInstanceOf(FlinkRestException.NotFound.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"id\":7,\"trigger_timestamp\":1,\"state_size\":42424242,\"checkpointed_size\":17}', 42424242",
    "'{\"id\":7,\"trigger_timestamp\":1}', ",
    "null, ",
  })
  void theSizeOfTheStateIsThatOfTheNewestCheckpoint(String completed, Long size) {
    flink.answering(200, "{\"latest\":{\"completed\":" + completed + "}}");

    OptionalLong known = rest.stateSize(flink.cluster(), JOB);

    assertThat(known).isEqualTo(size == null ? OptionalLong.empty() : OptionalLong.of(size));
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETED, file:/chk-24",
    "COMPLETED, <checkpoint-not-externally-addressable>",
    "IN_PROGRESS, file:/chk-24"
  })
  void whereACheckpointIsIsToldOfOneThatIsCompleted(String state, String path) {
    flink.answering(
        200,
        """
        {"id": 24, "status": "%s", "is_savepoint": false, "discarded": false,
         "trigger_timestamp": 1, "external_path": "%s"}
        """
            .formatted(state, path));

    Optional<Checkpoints.Completed> told = rest.completedCheckpoint(flink.cluster(), JOB, 24);

    assertThat(told.isPresent()).isEqualTo(state.equals("COMPLETED"));
    assertThat(told.flatMap(Checkpoints.Completed::externalPath))
        .isEqualTo(told.map(it -> path).filter(it -> it.startsWith("file:")));
  }

  @Test
  void whatAJobCountsIsReadByName() {
    flink.answering(
        200, "[{\"id\":\"numRestarts\",\"value\":\"3\"},{\"id\":\"uptime\",\"value\":\"NaN\"}]");

    assertThat(rest.metrics(flink.cluster(), JOB, List.of("numRestarts", "uptime")))
        .isEqualTo(Map.of("numRestarts", 3L));
  }

  /** As Flink 1.20 and 2.2 answer; 1.15 and 1.16 say {@code location} for the address. */
  @ParameterizedTest
  @CsvSource({
    "'\"taskManagerId\":\"tm-1\",\"endpoint\":\"10.0.0.1:6122\"', tm-1",
    "'\"taskManagerId\":null,\"endpoint\":\"10.0.0.1:6122\"', 10.0.0.1:6122",
    "'\"taskManagerId\":\"tm-1\",\"endpoint\":\"10.0.0.1:6122\",\"location\":\"10.0.0.1:6122\"', tm-1",
    "'\"location\":\"10.0.0.1:6122\"', 10.0.0.1:6122",
  })
  void anExceptionIsReadWithItsOriginAndWithoutCredentials(String where, String taskManager) {
    flink.answering(
        200,
        """
        {"exceptionHistory":{"truncated":false,"entries":[
        {"exceptionName":"java.io.IOException","stacktrace":"java.io.IOException: s3://me:pw@b/x\\n\\tat x.Y.z(Y.java:1)\\n",
        "timestamp":1000,"taskName":"map (1/3)",%s},
        {"exceptionName":"x","stacktrace":"java.lang.Error: old","timestamp":500}]}}
        """
            .formatted(where));

    JobExceptions exceptions = rest.exceptions(flink.cluster(), JOB, 2);

    assertThat(exceptions.newestFirst()).hasSize(2);
    assertThat(exceptions.latest())
        .contains(
            new JobExceptions.Failure(
                new FlinkCause("IOException", "s3://***@b/x"),
                Instant.ofEpochMilli(1000),
                new JobExceptions.Origin(Optional.of("map (1/3)"), Optional.of(taskManager)),
                List.of("at x.Y.z(Y.java:1)")));
  }

  @ParameterizedTest
  @CsvSource({"BATCH, BATCH", "STREAMING, STREAMING", "LATER, STREAMING"})
  void theTypeOfAJobIsReadFromItsPlan(String word, JobType type) {
    flink.answering(
        200, "{\"plan\":{\"jid\":\"aa01\",\"type\":\"%s\",\"nodes\":[]}}".formatted(word));

    assertThat(rest.jobType(flink.cluster(), JOB)).isEqualTo(type);
  }

  // ---- the highest value of a metric ----

  private void isAsked(String path) {
    assertThat(flink.asked().getRequestLine()).isEqualTo("GET /jobs/" + JOB + path + " HTTP/1.1");
  }

  @Test
  void aMetricOfTheJobIsEnough() {
    flink.answering(200, "[{\"id\":\"numRestarts\",\"value\":\"3\"}]");

    assertThat(rest.highest(flink.cluster(), JOB, "numRestarts")).hasValue(3);
    isAsked("/metrics?get=numRestarts");
  }

  @Test
  void ofVerticesTheHighestOfAllSubtasksCounts() {
    flink
        .answering(200, "[]")
        .answering(200, VERTICES)
        .answering(
            200,
            "[{\"id\":\"Source__in.KafkaConsumer.records-lag-max\"},{\"id\":\"numRecordsIn\"}]")
        .answering(200, "[{\"id\":\"Source__in.KafkaConsumer.records-lag-max\",\"max\":12.5}]")
        .answering(200, "[{\"id\":\"numRecordsIn\"}]");

    assertThat(rest.highest(flink.cluster(), JOB, "records-lag-max")).hasValue(12.5);
    isAsked("/metrics?get=records-lag-max");
    isAsked("");
    isAsked("/vertices/cccccccccccccccccccccccccccccc01/subtasks/metrics");
    isAsked(
        "/vertices/cccccccccccccccccccccccccccccc01/subtasks/metrics"
            + "?get=Source__in.KafkaConsumer.records-lag-max&agg=max");
    isAsked("/vertices/cccccccccccccccccccccccccccccc02/subtasks/metrics");
  }

  /** Kafka's consumer says NaN before it has read anything. */
  @Test
  void whatIsNoNumberIsNotThere() {
    flink
        .answering(200, "[{\"id\":\"lag\",\"value\":\"NaN\"}]")
        .answering(200, "{\"vertices\": []}");

    assertThat(rest.highest(flink.cluster(), JOB, "lag")).isEmpty();
  }

  @Test
  void thatAnotherChangeOfTheParallelismIsInProgressPasses() {
    flink.answering(
        409, "{\"errors\":[\"Another update to the job [aa01] requirements is in progress.\"]}");
    ResourceRequirements two = new ResourceRequirements(Map.of("a", new Bounds(1, 2)));

    assertThat(catchThrowable(() -> rest.require(flink.cluster(), JOB, two)))
        .isInstanceOf(FlinkRestException.Unreachable.class)
        .hasMessageContaining("is in progress");
  }
}
