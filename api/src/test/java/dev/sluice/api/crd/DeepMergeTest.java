package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class DeepMergeTest {
  private static final JSONSchemaProps STRING =
      new JSONSchemaPropsBuilder().withType("string").withDescription("kept").build();

  private final JSONSchemaProps schema =
      new JSONSchemaPropsBuilder()
          .addToProperties("a", STRING)
          .addToProperties("b", STRING)
          .build();

  private JSONSchemaProps merge(String patch) {
    return new DeepMerge().apply(schema, patch, new KubernetesSerialization());
  }

  @Test
  void aPatchOfOnePropertyKeepsTheOthersAndTheRestOfIt() {
    JSONSchemaProps merged = merge("{\"properties\": {\"a\": {\"maxLength\": 3}}}");

    assertThat(merged.getProperties().get("b")).isEqualTo(STRING);
    assertThat(merged.getProperties().get("a").getDescription()).isEqualTo("kept");
    assertThat(merged.getProperties().get("a").getMaxLength()).isEqualTo(3);
  }

  @Test
  void aBrokenPatchFailsTheBuildAndIsShown() {
    assertThatThrownBy(() -> merge("{\"properties\": "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{\"properties\": ");
  }
}
