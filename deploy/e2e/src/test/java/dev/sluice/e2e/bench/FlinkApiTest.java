package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlinkApiTest {

  @ParameterizedTest
  @CsvSource({
    "RUNNING, 2, 2, true",
    "RUNNING, 1, 2, false",
    "RUNNING, 0, 2, false",
    "CREATED, 2, 2, false"
  })
  void allTasksRunWhenTheJobDoesAndEachVertexHasAsManyAsItWants(
      String state, int running, int parallelism, boolean all) throws JsonProcessingException {
    String job =
        """
        {"state":"%s","vertices":[{"parallelism":1,"tasks":{"RUNNING":1}},
                                  {"parallelism":%d,"tasks":{"RUNNING":%d}}]}
        """
            .formatted(state, parallelism, running);

    assertThat(FlinkApi.allTasksRun(new ObjectMapper().readTree(job))).isEqualTo(all);
  }

  @Test
  void aJobThatRunsHasNotEnded() throws JsonProcessingException {
    String overview = "{\"jobs\":[{\"end-time\":-1},{\"end-time\":42},{\"end-time\":7}]}";

    assertThat(FlinkApi.lastEnd(new ObjectMapper().readTree(overview))).isEqualTo(42);
  }
}
