package dev.sluice.api.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.bluegreen.BlueGreenDiff.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlueGreenDiffTest {
  private static final YAMLMapper YAML = new YAMLMapper();

  private static final String REACHED =
      """
      configuration: {kubernetes.operator.bluegreen.deployment-deletion.delay: 1 min}
      ingress: {template: "{{name}}.example.com"}
      template:
        metadata: {labels: {team: orders}}
        spec:
          image: flink:2.2
          flinkVersion: v2_2
          serviceAccount: flink
          restartNonce: 1
          flinkConfiguration: {taskmanager.numberOfTaskSlots: "2"}
          job:
            jarURI: local:///job.jar
            parallelism: 2
            state: running
            upgradeMode: savepoint
            savepointRedeployNonce: 1
      """;

  private static FlinkBlueGreenDeploymentSpec spec(String patch) throws JsonProcessingException {
    ObjectNode tree = (ObjectNode) YAML.readTree(REACHED);
    YAML.readerForUpdating(tree).readValue(patch);
    return YAML.treeToValue(tree, FlinkBlueGreenDeploymentSpec.class);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "NONE       | {}",
        "NONE       | {configuration: {sluice.bluegreen.gate.checkpoints: '3'}}",
        "NONE       | {ingress: {template: other.example.com}}",
        "NONE       | {template: {spec: {ingress: {template: ignored.example.com}}}}",
        "NONE       | {template: {spec: {mode: native}}}",
        "PATCH      | {template: {metadata: {labels: {team: other}}}}",
        "PATCH      | {template: {metadata: {annotations: {sluice.dev/stable-after: 30s}}}}",
        "PATCH      | {template: {spec: {job: {upgradeMode: stateless}}}}",
        "PATCH      | {template: {spec: {job: {initialSavepointPath: s3://b/savepoint-1}}}}",
        "PATCH      | {template: {spec: {job: {savepointTriggerNonce: 2}}}}",
        "PATCH      | {template: {spec: {flinkConfiguration: {kubernetes.operator.savepoint.history.max.count: '3'}}}}",
        "SUSPEND    | {template: {spec: {job: {state: suspended}}}}",
        "SUSPEND    | {template: {spec: {job: {state: suspended, upgradeMode: last-state}}}}",
        "SUSPEND    | {template: {metadata: {labels: {team: other}}, spec: {job: {state: suspended}}}}",
        "TRANSITION | {template: {spec: {image: 'flink:2.3'}}}",
        "TRANSITION | {template: {spec: {restartNonce: 2}}}",
        "TRANSITION | {template: {spec: {job: {parallelism: 4}}}}",
        "TRANSITION | {template: {spec: {job: {state: suspended, parallelism: 4}}}}",
        "TRANSITION | {template: {spec: {flinkConfiguration: {taskmanager.numberOfTaskSlots: '4'}}}}",
        "SAVEPOINT_REDEPLOY | {template: {spec: {job: {savepointRedeployNonce: 2, initialSavepointPath: s3://b/savepoint-1}}}}",
        "SAVEPOINT_REDEPLOY | {template: {spec: {image: 'flink:2.3', job: {savepointRedeployNonce: 2}}}}",
      })
  void aChangeAsksFor(Kind kind, String patch) throws JsonProcessingException {
    FrozenBlueGreen reached = new FrozenBlueGreen(spec("{}"), 3);

    assertThat(BlueGreenDiff.between(reached, spec(patch)).kind()).isEqualTo(kind);
  }

  @Test
  void aJobThatRunsAgainResumes() throws JsonProcessingException {
    FrozenBlueGreen reached =
        new FrozenBlueGreen(spec("{template: {spec: {job: {state: suspended}}}}"), 3);

    assertThat(BlueGreenDiff.between(reached, spec("{}")).kind()).isEqualTo(Kind.RESUME);
  }

  @Test
  void withoutAReachedSpecItIsTheFirst() throws JsonProcessingException {
    assertThat(BlueGreenDiff.between(null, spec("{}")).kind()).isEqualTo(Kind.FIRST);
  }

  @Test
  void theChangesAreDescribed() throws JsonProcessingException {
    FrozenBlueGreen reached = new FrozenBlueGreen(spec("{}"), 3);

    assertThat(
            BlueGreenDiff.between(reached, spec("{template: {spec: {image: 'flink:2.3'}}}"))
                .describe())
        .isEqualTo("spec.image: flink:2.2 -> flink:2.3");
  }

  @Test
  void aReachedSpecIsReadAsItWasWritten() throws JsonProcessingException {
    FrozenBlueGreen reached = new FrozenBlueGreen(spec("{}"), 3);

    assertThat(FrozenBlueGreen.parse(reached.toJson())).isEqualTo(reached);
  }

  /** It writes {@code {"spec": {...}}} alone. */
  @Test
  void whatApachesOperatorWroteIsRead() throws JsonProcessingException {
    FrozenBlueGreen read =
        FrozenBlueGreen.parse(
            "{\"spec\":{\"template\":{\"spec\":{\"image\":\"flink:2.2\"}},\"apiVersion\":\"v1\"}}");

    assertThat(read.generation()).isZero();
    assertThat(read.spec().template().spec().image()).isEqualTo("flink:2.2");
  }
}
