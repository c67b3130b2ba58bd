package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job that each flag makes, before Flink runs it. */
class JobGraphTest {

  private final StreamExecutionEnvironment env =
      StreamExecutionEnvironment.createLocalEnvironment(2, new Configuration());

  @ParameterizedTest
  @CsvSource({
    "--rate 1, 'Source: sequence 1, counter -> sink: Writer 2'",
    "--bounded-source 0, 'Source: sequence 1, Source: bounded -> bounded-sink: Writer 1, counter -> sink: Writer 2'",
    "--splits 2, 'Source: splits 2, counter -> sink: Writer 2'",
    "--batch true, 'Source: numbers 1, sum -> sink: Writer -1'",
  })
  void aFlagChangesTheVerticesAndTheirParallelism(String flags, String vertices) {
    assertThat(vertices(graph(flags))).isEqualTo(vertices);
  }

  @Test
  void withoutSlotsEveryVertexNeedsMoreThanAnyTaskManagerHas() {
    JobGraph graph = graph("--no-slots true --bounded-source 0");

    assertThat(graph.getSlotSharingGroups())
        .isNotEmpty()
        .allSatisfy(
            group ->
                assertThat(group.getResourceProfile().getCpuCores().getValue().longValue())
                    .isGreaterThan(10_000));
  }

  @ParameterizedTest
  @CsvSource({"delete, DELETE_ON_CANCELLATION", "retain, RETAIN_ON_CANCELLATION"})
  void theJobSetsWhatBecomesOfItsCheckpoints(String flag, ExternalizedCheckpointRetention set) {
    CounterOptions.parse("--retention", flag).execution().configure(env);

    assertThat(env.getCheckpointConfig().getExternalizedCheckpointRetention()).isEqualTo(set);
  }

  private JobGraph graph(String flags) {
    CounterJob.build(env, CounterOptions.parse(flags.split(" ")));
    return env.getStreamGraph().getJobGraph();
  }

  private static String vertices(JobGraph graph) {
    return graph.getVerticesSortedTopologicallyFromSources().stream()
        .map(vertex -> vertex.getName() + " " + vertex.getParallelism())
        .collect(Collectors.joining(", "));
  }
}
