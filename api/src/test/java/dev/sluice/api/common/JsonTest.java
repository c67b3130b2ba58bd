package dev.sluice.api.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {
  private static JsonNode json(String text) throws JsonProcessingException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  @Test
  void nullInADocumentIsAbsent() {
    assertThat(Json.nullToAbsent(NullNode.getInstance())).isNull();
    assertThat(Json.nullToAbsent(MissingNode.getInstance())).isNull();
    assertThat(Json.nullToAbsent(null)).isNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': null} | {}",
        "{'a': {'b': null, 'c': 1}} | {'a': {'c': 1}}",
        "{'a': [{'b': null}]} | {'a': [{}]}",
        "{'a': [null, 1]} | {'a': [null, 1]}",
        "[null] | [null]",
        "{'a': ''} | {'a': ''}",
        "{'a': false, 'b': 0} | {'a': false, 'b': 0}",
        "7 | 7",
      })
  void fieldsThatAreNullAreLeftOut(String before, String after) throws JsonProcessingException {
    assertThat(Json.withoutNullFields(json(before))).isEqualTo(json(after));
  }

  @Test
  void theOriginalStaysAsItIs() throws JsonProcessingException {
    JsonNode original = json("{'a': null}");

    JsonNode unused = Json.withoutNullFields(original);

    assertThat(original.has("a")).isTrue();
  }

  @Test
  void listsAndMapsAreCopiedWithoutNulls() {
    Map<String, String> map = new HashMap<>();
    map.put("b", "2");
    map.put("a", "1");
    map.put("n", null);

    assertThat(Json.copyOrEmpty(Arrays.asList("a", null, "b"))).containsExactly("a", "b");
    assertThat(Json.copyOrEmpty(map)).containsExactly(Map.entry("a", "1"), Map.entry("b", "2"));
    assertThat(Json.copyOrEmpty((List<String>) null)).isEmpty();
    assertThat(Json.copyOrEmpty((Map<String, String>) null)).isEmpty();
  }

  @Test
  void resourcesHaveNoNulls() {
    Map<String, Quantity> requests = new HashMap<>();
    requests.put("cpu", null);
    requests.put("memory", new Quantity("1Gi"));

    ResourceRequirements read = Json.withoutNulls(new ResourceRequirements(null, null, requests));

    assertThat(read.getClaims()).isEmpty();
    assertThat(read.getLimits()).isEmpty();
    assertThat(read.getRequests()).containsOnlyKeys("memory");
    assertThat(Json.withoutNulls((ResourceRequirements) null)).isNull();
  }
}
