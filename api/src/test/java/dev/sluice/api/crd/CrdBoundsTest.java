package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.testing.fuzz.CrdSchema;
import dev.sluice.testing.fuzz.FlinkDeployments;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server refuses by itself. */
class CrdBoundsTest {
  private static final CrdSchema SCHEMA = FlinkDeployments.schema(Path.of(".."));
  private static final YAMLMapper YAML = new YAMLMapper();

  private static ObjectNode resource(String spec) throws JsonProcessingException {
    ObjectNode resource = YAML.createObjectNode();
    resource.set("spec", YAML.readTree(spec));
    return resource;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{job: {parallelism: 0}}",
        "{job: {parallelism: 1}}",
        "{job: {parallelism: 32768}}",
        "{jobManager: {replicas: 1}}",
        "{jobManager: {replicas: 100}}",
        "{taskManager: {replicas: 1}}",
        "{taskManager: {replicas: 32768}}",
        "{serviceAccount: flink}",
        "{serviceAccount: team-a.flink}",
        "{image: 'registry.example.com:5000/team/job:1.0'}",
        "{taskManager: {resources: {requests: {memory: '1e18'}}}}",
      })
  void whatIsWithinTheBoundsIsTaken(String spec) throws JsonProcessingException {
    assertThat(SCHEMA.violations(resource(spec))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{job: {parallelism: -1}}",
        "{job: {parallelism: 32769}}",
        "{job: {parallelism: 2147483647}}",
        "{job: {parallelism: 1.5}}",
        "{job: {parallelism: '1'}}",
        "{jobManager: {replicas: 0}}",
        "{jobManager: {replicas: 101}}",
        "{taskManager: {replicas: 0}}",
        "{taskManager: {replicas: 32769}}",
        "{serviceAccount: ../../etc/passwd}",
        "{serviceAccount: 'a b'}",
        "{serviceAccount: Flink}",
        "{image: ''}",
        "{image: 'flink :1.20'}",
        "{taskManager: {resources: {requests: {memory: 1e999}}}}",
        "{taskManager: {resources: {requests: {memory: 2GB}}}}",
        "{mode: reactive}",
        "{flinkVersion: v9_9}",
        "{job: {state: cancelled}}",
        "{job: {args: text}}",
        "{job: {args: [null]}}",
        "{ingress: {}}",
      })
  void whatIsOutsideOfThemIsRefused(String spec) throws JsonProcessingException {
    assertThat(SCHEMA.violations(resource(spec))).isNotEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0, true", "1, true", "2147483647, true", "-1, false"})
  void theReplicasInTheStatusAreNeverNegative(long replicas, boolean taken) {
    ObjectNode status = YAML.createObjectNode();
    status.putObject("taskManager").put("replicas", replicas);

    assertThat(SCHEMA.property("status").violations(status).isEmpty()).isEqualTo(taken);
  }
}
