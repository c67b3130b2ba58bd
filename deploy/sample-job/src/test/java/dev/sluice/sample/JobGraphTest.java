package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
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
  })
  void aFlagChangesTheVerticesAndTheirParallelism(String flags, String vertices) {
    assertThat(vertices(graph(flags))).isEqualTo(vertices);
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
