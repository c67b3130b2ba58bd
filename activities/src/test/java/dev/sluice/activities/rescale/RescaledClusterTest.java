package dev.sluice.activities.rescale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RescaledClusterTest {

  /** The rest is of the JobManager that runs: it does not change under it. */
  @Test
  void allThatAFileSaysOfTheParallelismIsThatOfTheOther() {
    String runs =
        """
        rest.port: 8081
        parallelism.default: 2
        pipeline.jobvertex-parallelism-overrides: a:1,b:2
        parallelism.default.other: 1
        """;
    String wanted =
        """
        rest.port: 8099
        parallelism.default: 5
        pipeline.jobvertex-parallelism-overrides: a:5
        """;

    assertThat(RescaledCluster.withParallelismOf(runs, wanted))
        .isEqualTo(
            """
            rest.port: 8081
            parallelism.default.other: 1
            parallelism.default: 5
            pipeline.jobvertex-parallelism-overrides: a:5
            """);
  }

  @Test
  void overridesThatTheOtherDoesNotHaveGo() {
    assertThat(
            RescaledCluster.withParallelismOf(
                "pipeline.jobvertex-parallelism-overrides: a:1\n", "parallelism.default: 5\n"))
        .isEqualTo("parallelism.default: 5\n");
  }
}
