package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HighestMetricTest {

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
}
