package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeploymentViewTest {

  private static final String READY =
      """
      {"metadata":{"name":"counter","namespace":"default","generation":%d,
                   "uid":"0dae0db1-cbe8-4867-b75e-cf5fb1f3f7cb"},
       "status":{"operation":{"state":"%s","targetGeneration":6,"message":"at it"},
         "conditions":[{"type":"Running","status":"True","observedGeneration":6},
                       {"type":"Ready","status":"%s","observedGeneration":6,"message":"so it is"}]}}
      """;

  @Test
  void isReadyWhenTheConditionIsTrueForTheNewestGeneration() throws Exception {
    assertThat(view(READY.formatted(6, "Succeeded", "True")).isReady()).isTrue();
  }

  @Test
  void isNotReadyWhenTheConditionIsAboutAnOlderGeneration() throws Exception {
    assertThat(view(READY.formatted(7, "Succeeded", "True")).isReady()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "Parked, true", "Aborted, true", "Failed, true",
    "Running, false", "Blocked, false", "Succeeded, false"
  })
  void hasFailedWhenTheOperationWaitsForAPersonOrHasGivenUp(String state, boolean failed)
      throws Exception {
    assertThat(view(READY.formatted(6, state, "False")).hasFailed()).isEqualTo(failed);
  }

  @Test
  void hasNotFailedWhenTheOperationWasOnAnOlderGeneration() throws Exception {
    assertThat(view(READY.formatted(7, "Parked", "False")).hasFailed()).isFalse();
  }

  private static DeploymentView view(String json) throws JsonProcessingException {
    return new DeploymentView(new ObjectMapper().readTree(json));
  }
}
