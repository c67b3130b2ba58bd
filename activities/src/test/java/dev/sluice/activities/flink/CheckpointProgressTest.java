package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckpointProgressTest {

  private static final String FAILED =
      """
      {"id": %d, "status": "FAILED", "is_savepoint": %s, "trigger_timestamp": %d,
       "failure_timestamp": 9, "failure_message": "java.io.IOException: disk full"}
      """;

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(FlinkRestOptions.defaults(), MockFlink.LOOPBACK);

  @AfterEach
  void stop() {
    rest.close();
    flink.close();
  }

  @Test
  void theFailedOnesAfterTheNewestCompletedOneAreToldOldestFirst() {
    flink.answering(200, answer(failed(9, 900), failed(8, 800), failed(6, 600)));

    CheckpointProgress progress = ask();

    assertThat(progress.failedAt())
        .containsExactly(Instant.ofEpochMilli(800), Instant.ofEpochMilli(900));
    assertThat(progress.why()).hasValueSatisfying(why -> assertThat(why).contains("disk full"));
    assertThat(progress.completedAt()).contains(Instant.ofEpochMilli(700));
    assertThat(progress.stateSize()).isEqualTo(OptionalLong.of(17));
  }

  @Test
  void aSavepointThatFailedIsNone() {
    flink.answering(200, answer(FAILED.formatted(8, true, 800)));

    assertThat(ask().failedAt()).isEmpty();
  }

  @Test
  void aJobThatTakesNoCheckpointsHasNone() {
    flink.answering(404, "{\"errors\":[\"Checkpointing is not enabled for this job (aa01).\"]}");

    assertThat(ask()).isEqualTo(CheckpointProgress.NONE);
  }

  @Test
  void beforeTheFirstOneEveryFailedOneCounts() {
    flink.answering(200, "{\"latest\":{\"completed\":null},\"history\":[" + failed(1, 100) + "]}");

    CheckpointProgress progress = ask();

    assertThat(progress.failedAt()).isEqualTo(List.of(Instant.ofEpochMilli(100)));
    assertThat(progress.completedAt()).isEqualTo(Optional.empty());
  }

  @Test
  void whatTheJobWasRestoredFromIsTold() {
    flink.answering(
        200,
        """
        {"latest": {"completed": null, "restored": {"id": 500, "is_savepoint": false,
          "restore_timestamp": 1, "external_path": "file:/chk-500"}}, "history": []}
        """);

    assertThat(ask().restoredFrom()).contains("file:/chk-500");
  }

  private CheckpointProgress ask() {
    return rest.checkpointProgress(flink.cluster(), "aa01");
  }

  private static String failed(long id, long at) {
    return FAILED.formatted(id, false, at);
  }

  private static String answer(String... history) {
    return """
        {"latest": {"completed": {"id": 7, "trigger_timestamp": 700, "state_size": 17}},
         "history": [%s]}
        """
        .formatted(String.join(",", history));
  }
}
