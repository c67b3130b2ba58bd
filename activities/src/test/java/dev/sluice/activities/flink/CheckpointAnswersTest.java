package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointAnswersTest {

  @ParameterizedTest
  @CsvSource({
    "'\"latest_ack_timestamp\":9,', 9",
    "'\"latest_ack_timestamp\":-1,', ",
    "'', ",
  })
  void aCheckpointIsCompletedWhenTheLastTaskAcknowledgesIt(String said, @Nullable Long millis)
      throws JsonProcessingException {
    String answer =
        """
        {"counts":{"restored":0,"total":1,"in_progress":0,"completed":1,"failed":0},
        "latest":{"completed":{"id":5,"is_savepoint":false,"trigger_timestamp":7,%s
        "checkpoint_type":"CHECKPOINT","external_path":"file:/s","discarded":false}}}
        """
            .formatted(said);

    Checkpoints checkpoints =
        CheckpointAnswers.checkpoints(new FlinkJson(new ObjectMapper().readTree(answer)));

    assertThat(checkpoints.latestCompleted().orElseThrow().completedAt())
        .isEqualTo(Optional.ofNullable(millis).map(Instant::ofEpochMilli));
  }
}
