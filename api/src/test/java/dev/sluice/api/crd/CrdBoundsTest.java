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
        "{job: {parallelism: 0}, jobManager: {replicas: 1}, taskManager: {replicas: 1}} | true",
        "{job: {parallelism: 32768}, jobManager: {replicas: 100}} | true",
        "{taskManager: {replicas: 32768}, serviceAccount: team-a.flink} | true",
        "{image: 'registry.example.com:5000/team/job:1.0'} | true",
        "{taskManager: {resources: {requests: {memory: '1e18'}}}} | true",
        "{job: {parallelism: -1}} | false",
        "{job: {parallelism: 32769}} | false",
        "{job: {parallelism: 1.5}} | false",
        "{job: {parallelism: '1'}} | false",
        "{jobManager: {replicas: 0}} | false",
        "{jobManager: {replicas: 101}} | false",
        "{taskManager: {replicas: 0}} | false",
        "{taskManager: {replicas: 32769}} | false",
        "{serviceAccount: ../../etc/passwd} | false",
        "{serviceAccount: Flink} | false",
        "{image: ''} | false",
        "{image: 'flink :1.20'} | false",
        "{taskManager: {resources: {requests: {memory: 1e999}}}} | false",
        "{taskManager: {resources: {requests: {memory: 2GB}}}} | false",
        "{mode: reactive} | false",
        "{flinkVersion: v9_9} | false",
        "{job: {state: cancelled}} | false",
        "{job: {args: text}} | false",
        "{job: {args: [null]}} | false",
        "{ingress: {}} | false",
      })
  void whatIsOutsideOfTheBoundsIsRefused(String spec, boolean taken)
      throws JsonProcessingException {
    assertThat(SCHEMA.violations(resource(spec)).isEmpty()).isEqualTo(taken);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0, true", "1, true", "2147483647, true", "-1, false"})
  void theReplicasInTheStatusAreNeverNegative(long replicas, boolean taken) {
    ObjectNode status = YAML.createObjectNode();
    status.putObject("taskManager").put("replicas", replicas);

    assertThat(SCHEMA.property("status").violations(status).isEmpty()).isEqualTo(taken);
  }
}
