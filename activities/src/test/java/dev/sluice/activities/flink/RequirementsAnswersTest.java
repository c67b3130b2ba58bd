package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Flink answers to a change of the parallelism. */
class RequirementsAnswersTest {

  private static final String JOB = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa01";

  private final MockFlink flink = new MockFlink();
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(FlinkRestOptions.defaults(), MockFlink.LOOPBACK);

  @AfterEach
  void close() {
    rest.close();
    flink.close();
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
