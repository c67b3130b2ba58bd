package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorManifestsTest {

  private static final String SETTINGS =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: sluice-operator}
      data: {TEMPORAL_ADDRESS: 'production:7233', SLUICE_LOG_FORMAT: json}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: another}
      data: {TEMPORAL_ADDRESS: untouched}
      """;

  private static final String WORKER =
      """
      # a comment, and an empty document before it
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: sluice-worker}
      spec:
        template:
          metadata: {annotations: {keep: me}}
          spec: {containers: [{name: worker, image: 'sluice/worker:dev'}]}
      """;

  @Test
  void pointSluiceAtTheLocalTemporal() throws IOException {
    JsonNode settings = fit("abc", SETTINGS).get(0);

    assertThat(settings.at("/data/TEMPORAL_ADDRESS").asText()).isEqualTo("127.0.0.1:1");
    assertThat(settings.at("/data/SLUICE_LOG_FORMAT").asText()).isEqualTo("json");
  }

  @Test
  void leaveOtherObjectsAlone() throws IOException {
    assertThat(fit("abc", SETTINGS).get(1).at("/data/TEMPORAL_ADDRESS").asText())
        .isEqualTo("untouched");
  }

  @Test
  void makeADeploymentRollWhenItsProgramWasRebuilt() throws IOException {
    String path = "/spec/template/metadata/annotations/sluice.dev~1build";

    String before = fit("abc", WORKER).get(0).at(path).asText();
    String after = fit("def", WORKER).get(0).at(path).asText();

    assertThat(before).startsWith("abc").isNotEqualTo(after);
  }

  @Test
  void keepAnnotationsThatAreThere() throws IOException {
    assertThat(fit("abc", WORKER).get(0).at("/spec/template/metadata/annotations/keep").asText())
        .isEqualTo("me");
  }

  @Test
  void nameDeploymentsBuiltAndNotBuilt() throws IOException {
    assertThat(manifests("abc").fit(List.of(WORKER)).deployments())
        .containsExactly("sluice-worker");
    assertThat(manifests("").fit(List.of(WORKER)).notBuilt()).containsExactly("sluice-worker");
  }

  @Test
  void leaveOutWhatIsNotBuilt() throws IOException {
    assertThat(manifests("").fit(List.of(WORKER)).json()).isEmpty();
  }

  private static List<JsonNode> fit(String build, String yaml) throws IOException {
    String json = manifests(build).fit(List.of(yaml)).json();
    return new ObjectMapper().readerFor(JsonNode.class).<JsonNode>readValues(json).readAll();
  }

  private static OperatorManifests manifests(String build) {
    return new OperatorManifests(Map.of("TEMPORAL_ADDRESS", "127.0.0.1:1"), image -> build);
  }
}
