package dev.sluice.api.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.validation.ApplicationValidation;
import dev.sluice.api.validation.Violation;
import dev.sluice.api.validation.Warning;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationValidationTest {

  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/preview/flinkapplications.flink.k8s.io-v1.yml"));

  private static final String MANIFEST =
      """
      apiVersion: flink.k8s.io/v1beta1
      kind: FlinkApplication
      metadata: {name: wordcount}
      spec:
        image: registry.example.com/wordcount:1.0
        flinkVersion: "1.20"
        jarName: wordcount.jar
        parallelism: 3
        entryClass: org.example.WordCount
        deleteMode: None
        flinkConfig: {state.backend.type: hashmap}
        jobManagerConfig:
          resources: {requests: {memory: 200Mi, cpu: "0.1"}}
          envConfig: {env: [{name: REGION, value: eu}]}
        taskManagerConfig:
          taskSlots: 2
          systemMemoryFraction: 0.3
          resources: {requests: {memory: 400Mi, cpu: "0.2"}, limits: {cpu: 200m}}
        volumes: [{name: data, emptyDir: {}}]
        volumeMounts: [{name: data, mountPath: /data}]
      """;

  private static FlinkApplication application(String manifest) {
    return Serialization.unmarshal(manifest, FlinkApplication.class);
  }

  private static FlinkApplication with(String right, String wrong) {
    assertThat(MANIFEST).contains(right);
    return application(MANIFEST.replace(right, wrong));
  }

  @Test
  void a_spec_without_mistakes_has_neither_violations_nor_warnings() {
    assertThat(ApplicationValidation.validate(application(MANIFEST))).isEmpty();
    assertThat(ApplicationValidation.warnings(application(MANIFEST))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flinkapplication.yaml", "flinkapplication-blue-green.yaml"})
  void the_published_examples_are_valid(String file) throws IOException {
    FlinkApplication example =
        application(Files.readString(Path.of("../deploy/local/examples").resolve(file)));

    assertThat(ApplicationValidation.validate(example)).isEmpty();
    assertThat(ApplicationValidation.warnings(example)).isEmpty();
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name: wordcount | name: Word_Count | metadata.name",
        "name: wordcount | name: a23456789-123456789-123456789-123456789-123456789-123 | metadata.name",
        "image: registry.example.com/wordcount:1.0 | imagePullPolicy: Always | spec.image",
        "jarName: wordcount.jar | restartNonce: a | spec.jarName",
        "entryClass: org.example.WordCount | restartNonce: a | spec.entryClass",
        "parallelism: 3 | restartNonce: a | spec.parallelism",
        "jobManagerConfig: | jobManagerConfig: {replicas: 2}\\n  other: | spec.jobManagerConfig.replicas",
        "deleteMode: None | uiPort: 6123 | spec.uiPort",
        "deleteMode: None | savepointRedeployNonce: 1 | spec.savepointPath",
        "deleteMode: None | {scaleMode: InPlace, deploymentMode: BlueGreen} | spec.scaleMode",
        "deleteMode: None | promotion: {checkpoints: 3} | spec.promotion",
        "systemMemoryFraction: 0.3 | offHeapMemoryFraction: 0.3 | spec.taskManagerConfig.offHeapMemoryFraction",
        "systemMemoryFraction: 0.3 | systemMemoryFraction: 1.0 | spec.taskManagerConfig.resources.requests.memory",
        "flinkVersion: \"1.20\" | flinkVersion: \"1.10\" | spec.taskManagerConfig.systemMemoryFraction",
        "flinkVersion: \"1.20\" | restartNonce: a | spec.taskManagerConfig.systemMemoryFraction",
        "requests: {memory: 400Mi, cpu: \"0.2\"} | requests: {cpu: \"0.2\"} | spec.taskManagerConfig.resources.requests.memory",
        "name: REGION | name: FLINK_PROPERTIES | spec.jobManagerConfig.envConfig.env[0].name",
        "state.backend.type: hashmap | web.submit.enable: false | spec.flinkConfig.web.submit.enable",
        "state.backend.type: hashmap | security.ssl.rest.enabled: true | spec.flinkConfig.security.ssl.rest.enabled",
        "state.backend.type: hashmap | a.list: [1, 2] | spec.flinkConfig.a.list",
        "state.backend.type: hashmap | a: {b: null} | spec.flinkConfig.a.b",
        "state.backend.type: hashmap | a: \"1\\nb: 2\" | spec.flinkConfig.a",
        "state.backend.type: hashmap | 'a b': 1 | spec.flinkConfig.a b",
        "state.backend.type: hashmap | high-availability: kubernetes | spec.flinkConfig.high-availability.storageDir",
        "state.backend.type: hashmap | pipeline.max-parallelism: 2 | spec.parallelism",
        "state.backend.type: hashmap | pipeline.max-parallelism: two | spec.flinkConfig.pipeline.max-parallelism",
        "state.backend.type: hashmap | state.checkpoints.create-subdir: false | spec.flinkConfig.state.checkpoints.create-subdir",
      })
  void a_mistake_is_told_with_the_path_of_its_field(String right, String wrong, String path) {
    String text = wrong.startsWith("{") ? wrong.replaceAll("^\\{|}$", "") : wrong;
    FlinkApplication resource =
        with(right, wrong.startsWith("{") ? splitFields(text) : wrong.replace("\\n  ", "\n  "));

    List<Violation> violations = ApplicationValidation.validate(resource);

    assertThat(violations).extracting(Violation::path).containsExactly(path);
    assertThat(violations.get(0).message()).isNotBlank();
  }

  /** {@code a: 1, b: {c: 2}} as two lines of the spec. */
  private static String splitFields(String fields) {
    return fields.replaceFirst(", (?=[a-zA-Z]+:)", "\n  ");
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "image: registry.example.com/wordcount:1.0 | image: 'word count' | spec.image",
        "deleteMode: None | imagePullPolicy: Sometimes | spec.imagePullPolicy",
        "jarName: wordcount.jar | jarName: jars/wordcount.jar | spec.jarName",
        "parallelism: 3 | parallelism: 0 | spec.parallelism",
        "parallelism: 3 | parallelism: 40000 | spec.parallelism",
        "taskSlots: 2 | taskSlots: 0 | spec.taskManagerConfig.taskSlots",
        "deleteMode: None | blobPort: 70000 | spec.blobPort",
        "deleteMode: None | maxCheckpointRestoreAgeSeconds: 0 | spec.maxCheckpointRestoreAgeSeconds",
        "deleteMode: None | {deploymentMode: BlueGreen, promotion: {stableSeconds: -1}} | spec.promotion.stableSeconds",
        "deleteMode: None | {deploymentMode: BlueGreen, promotion: {checkpoints: 1001}} | spec.promotion.checkpoints",
        "systemMemoryFraction: 0.3 | systemMemoryFraction: 1.5 | spec.taskManagerConfig.systemMemoryFraction",
        "systemMemoryFraction: 0.3 | offHeapMemoryFraction: -0.5 | spec.taskManagerConfig.offHeapMemoryFraction",
      })
  void a_wrong_shape_is_refused_by_the_definition(String right, String wrong, String path)
      throws IOException {
    String text = wrong.startsWith("{") ? wrong.replaceAll("^\\{|}$", "") : wrong;
    assertThat(MANIFEST).contains(right);
    String manifest = MANIFEST.replace(right, wrong.startsWith("{") ? splitFields(text) : wrong);

    assertThat(SCHEMA.violations(new YAMLMapper().readTree(manifest)))
        .singleElement()
        .asString()
        .contains(path);
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "state.backend.type: hashmap | taskmanager.numberOfTaskSlots: 4 | spec.flinkConfig.taskmanager.numberOfTaskSlots",
        "state.backend.type: hashmap | jobmanager.rpc.address: here | spec.flinkConfig.jobmanager.rpc.address",
        "state.backend.type: hashmap | kubernetes.namespace: mine | spec.flinkConfig.kubernetes.namespace",
        "state.backend.type: hashmap | taskmanager.memory.process.size: 1g | spec.flinkConfig.taskmanager.memory.process.size",
        "state.backend.type: hashmap | kubernetes.operator.job.upgrade: a | spec.flinkConfig.kubernetes.operator.job.upgrade",
        "state.backend.type: hashmap | execution.savepoint-restore-mode: CLAIM | spec.flinkConfig.execution.savepoint-restore-mode",
        "state.backend.type: hashmap | high-availability: zookeeper | spec.flinkConfig.high-availability",
        "flinkVersion: \"1.20\" | flinkVersion: latest | spec.flinkVersion",
        "flinkVersion: \"1.20\" | flinkVersion: \"1.14\" | spec.flinkVersion",
        "deleteMode: None | forceRollback: true | spec.forceRollback",
        "deleteMode: None | tearDownVersionHash: 1a2b3c4d5e | spec.tearDownVersionHash",
      })
  void a_setting_without_effect_is_told_with_its_path(String right, String other, String path) {
    assertThat(ApplicationValidation.warnings(with(right, other)))
        .extracting(Warning::path)
        .containsExactly(path);
  }

  @Test
  void a_savepoint_named_after_the_first_deployment_has_no_effect_without_a_nonce() {
    FlinkApplication resource = with("deleteMode: None", "savepointPath: file:///s");
    resource.setStatus(FlinkApplicationStatus.EMPTY.withDeployHash("1a2b3c4d5e"));
    FlinkApplication asked =
        with("deleteMode: None", "savepointPath: file:///s\n  savepointRedeployNonce: 1");
    asked.setStatus(resource.getStatus());

    assertThat(ApplicationValidation.warnings(resource))
        .extracting(Warning::path)
        .containsExactly("spec.savepointPath");
    assertThat(ApplicationValidation.warnings(asked)).isEmpty();
  }

  @Test
  void a_hash_to_tear_down_that_no_version_has_is_told() {
    FlinkApplication resource =
        with("deleteMode: None", "deploymentMode: BlueGreen\n  tearDownVersionHash: aaaaaaaaaa");
    resource.setStatus(
        FlinkApplicationStatus.EMPTY.withDeployment(
            ApplicationDeployment.EMPTY.withDeployed(
                new DeployedVersion(
                    "bbbbbbbbbb", "b", "wordcount-b", Colour.GREEN, 1L, null, "{}", null))));

    assertThat(ApplicationValidation.warnings(resource))
        .singleElement()
        .asString()
        .startsWith("spec.tearDownVersionHash: ")
        .contains("aaaaaaaaaa");
    resource.setStatus(resource.getStatus().withTeardownHash("aaaaaaaaaa"));
    assertThat(ApplicationValidation.warnings(resource)).isEmpty();
  }
}
