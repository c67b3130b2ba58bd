package dev.sluice.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestCopyTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String METADATA =
      """
      "metadata":{"name":"job-a","namespace":"default","uid":"u1","resourceVersion":"7",
        "ownerReferences":[{"kind":"FlinkDeployment","name":"job-a"}],
        "annotations":{"sluice.dev/generation":"2"},
        "labels":{"app":"job-a","app.kubernetes.io/managed-by":"sluice"}}
      """;

  @Test
  void aCopyIsOfTheOtherName() throws Exception {
    assertThat(copy("{\"kind\":\"ConfigMap\"," + METADATA + "}").toString())
        .contains("job-b")
        .doesNotContain("job-a");
  }

  @Test
  void aCopyBelongsToNobody() throws Exception {
    JsonNode metadata = copy("{\"kind\":\"ConfigMap\"," + METADATA + "}").path("metadata");

    assertThat(metadata)
        .isEqualTo(
            JSON.readTree(
                "{\"name\":\"job-b\",\"namespace\":\"default\",\"labels\":{\"app\":\"job-b\"}}"));
  }

  @Test
  void aServiceGetsAnAddressOfItsOwn() throws Exception {
    JsonNode service =
        copy(
            "{\"kind\":\"Service\",\"spec\":{\"clusterIP\":\"10.0.0.1\",\"type\":\"ClusterIP\"},"
                + METADATA
                + "}");

    assertThat(service.path("spec")).isEqualTo(JSON.readTree("{\"type\":\"ClusterIP\"}"));
  }

  @Test
  void aHeadlessServiceStaysOne() throws Exception {
    JsonNode service =
        copy("{\"kind\":\"Service\",\"spec\":{\"clusterIP\":\"None\"}," + METADATA + "}");

    assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
  }

  @Test
  void theConfigurationGetsJobIdSavepointAndImage() throws Exception {
    String config =
        """
        $internal.pipeline.job-id: "0001"
        execution.state-recovery.path: "file:/old"
        job-result-store.storage-path: "file:/jrs/0001"
        kubernetes.container.image.ref: "flink:1"
        """;

    assertThat(config(config))
        .isEqualTo(
            """
            $internal.pipeline.job-id: "0002"
            execution.state-recovery.path: "file:/$new"
            job-result-store.storage-path: "file:/jrs/0002"
            kubernetes.container.image.ref: "flink:2"
            """);
  }

  @Test
  void aConfigurationWithoutASavepointGetsOne() throws Exception {
    String config =
        """
        $internal.pipeline.job-id: "0001"
        kubernetes.container.image.ref: "flink:1"
        """;

    assertThat(config(config)).endsWith("execution.state-recovery.path: \"file:/$new\"\n");
  }

  @Test
  void aJobWithoutStateGetsNoSavepoint() throws Exception {
    ObjectNode map = JSON.createObjectNode().put("kind", "ConfigMap");
    map.putObject("data").put("config.yaml", "$internal.pipeline.job-id: \"0001\"\n");

    assertThat(ManifestCopy.of(List.of(map), "job-a", "job-b").with("flink:2", "0002", ""))
        .contains("0002")
        .doesNotContain("execution.state-recovery.path");
  }

  @Test
  void theContainerGetsTheImage() throws Exception {
    ObjectNode deployment =
        (ObjectNode)
            JSON.readTree(
                """
                {"kind":"Deployment","spec":{"template":{"spec":{"containers":[{"image":"flink:1"}]}}}}
                """);

    JsonNode applied = applied(deployment);

    assertThat(applied.at("/spec/template/spec/containers/0/image").asText()).isEqualTo("flink:2");
  }

  private static JsonNode copy(String object) throws JsonProcessingException {
    return ManifestCopy.of(List.of(JSON.readTree(object)), "job-a", "job-b").list().at("/items/0");
  }

  private static String config(String config) throws JsonProcessingException {
    ObjectNode map = JSON.createObjectNode().put("kind", "ConfigMap");
    map.putObject("data").put("config.yaml", config);
    return applied(map).at("/data/config.yaml").asText();
  }

  private static JsonNode applied(ObjectNode object) throws JsonProcessingException {
    ManifestCopy copy = ManifestCopy.of(List.of(object), "job-a", "job-b");
    return JSON.readTree(copy.with("flink:2", "0002", "file:/$new")).at("/items/0");
  }
}
