package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class DeploymentViewTest {

  private static final String READY =
      """
      {"metadata":{"name":"counter","namespace":"default","generation":%d,
                   "uid":"0dae0db1-cbe8-4867-b75e-cf5fb1f3f7cb"},
       "status":{"operation":{"state":"%s"},
         "conditions":[{"type":"Running","status":"True","observedGeneration":6},
                       {"type":"Ready","status":"%s","observedGeneration":6,"message":"so it is"}]}}
      """;

  @Test
  void isReadyWhenTheConditionIsTrueForTheNewestGeneration() throws Exception {
    assertThat(view(READY.formatted(6, "Succeeded", "True")).ready()).isTrue();
  }

  @Test
  void isNotReadyWhenTheConditionIsAboutAnOlderGeneration() throws Exception {
    assertThat(view(READY.formatted(7, "Succeeded", "True")).ready()).isFalse();
  }

  @Test
  void isNotReadyWhenTheConditionIsNotTrue() throws Exception {
    assertThat(view(READY.formatted(6, "Succeeded", "Unknown")).ready()).isFalse();
  }

  @Test
  void isNotReadyWithoutAStatus() throws Exception {
    assertThat(view("{\"metadata\":{\"generation\":1}}").ready()).isFalse();
  }

  @Test
  void saysWhyItIsReadyOrNot() throws Exception {
    assertThat(view(READY.formatted(6, "Parked", "False")).readyMessage()).isEqualTo("so it is");
  }

  @Test
  void isParkedWhenItsOperationIs() throws Exception {
    assertThat(view(READY.formatted(6, "Parked", "False")).parked()).isTrue();
    assertThat(view(READY.formatted(6, "Running", "False")).parked()).isFalse();
  }

  @Test
  void theLaneIsNamedAfterTheResourceAndTheBeginningOfItsUid() throws Exception {
    assertThat(view(READY.formatted(6, "Running", "False")).lane())
        .isEqualTo("FlinkDeployment_default_counter_0dae0db1");
  }

  private static DeploymentView view(String json) throws JsonProcessingException {
    return new DeploymentView(new ObjectMapper().readTree(json));
  }
}
