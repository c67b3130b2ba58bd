package dev.sluice.api.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationHashTest {

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
        flinkConfig: {a: 1, b: "x"}
        jobManagerConfig:
          resources: {requests: {memory: 2Gi, cpu: "0.5"}}
      """;

  private static FlinkApplicationSpec spec(String manifest) {
    return Serialization.unmarshal(manifest, FlinkApplication.class).getSpec();
  }

  private static ApplicationHash with(String more) {
    return ApplicationHash.of(spec(MANIFEST + "  " + more + "\n"));
  }

  private static final ApplicationHash ORIGINAL = ApplicationHash.of(spec(MANIFEST));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "imagePullPolicy: Always",
        "imagePullSecrets: [{name: pull}]",
        "serviceAccountName: flink",
        "securityContext: {runAsUser: 9999}",
        "taskManagerConfig: {taskSlots: 2}",
        "taskManagerConfig: {resources: {requests: {memory: 1Gi}}}",
        "taskManagerConfig: {systemMemoryFraction: 0.3}",
        "taskManagerConfig: {envConfig: {env: [{name: A, value: b}]}}",
        "taskManagerConfig: {nodeSelector: {disk: ssd}}",
        "taskManagerConfig: {tolerations: [{key: a}]}",
        "taskManagerConfig: {affinity: {nodeAffinity: {}}}",
        "programArgs: --in /data",
        "rpcPort: 6200",
        "queryPort: 6201",
        "blobPort: 6202",
        "uiPort: 6203",
        "metricsQueryPort: 6204",
        "volumes: [{name: data, emptyDir: {}}]",
        "volumeMounts: [{name: data, mountPath: /data}]",
        "restartNonce: again",
        "savepointRedeployNonce: 1",
      })
  void what_changes_the_pods_or_the_job_changes_the_hash(String field) {
    assertThat(with(field)).isNotEqualTo(ORIGINAL);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "wordcount:1.0 | wordcount:1.1",
        "wordcount.jar | words.jar",
        "parallelism: 3 | parallelism: 4",
        "example.WordCount | example.Words",
        "a: 1 | a: 2",
        "flinkVersion: \"1.20\" | flinkVersion: \"1.10\"",
        "cpu: \"0.5\" | cpu: \"0.6\"",
      })
  void another_value_changes_the_hash(String from, String to) {
    assertThat(ApplicationHash.of(spec(MANIFEST.replace(from, to)))).isNotEqualTo(ORIGINAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deleteMode: ForceCancel",
        "deploymentMode: BlueGreen",
        "scaleMode: InPlace",
        "savepointDisabled: true",
        "savepointPath: file:///s",
        "savepointInfo: {savepointLocation: file:///s}",
        "allowNonRestoredState: true",
        "forceRollback: true",
        "fallbackWithoutState: true",
        "maxCheckpointRestoreAgeSeconds: 60",
        "tearDownVersionHash: aaaaaaaaaa",
        "promotion: {checkpoints: 3}",
        "restartNonce: ''",
        "rpcPort: 6123",
        "taskManagerConfig: {taskSlots: 16}",
        "imagePullPolicy: IfNotPresent",
      })
  void what_says_how_to_deploy_and_defaults_that_are_written_out_do_not_change_it(String field) {
    assertThat(with(field)).isEqualTo(ORIGINAL);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "cpu: \"0.5\" | cpu: 500m",
        "memory: 2Gi | memory: 2048Mi",
        "memory: 2Gi | memory: \"2147483648\"",
        "{a: 1, b: \"x\"} | {b: \"x\", a: \"1\"}",
        "flinkVersion: \"1.20\" | flinkVersion: v1_17",
      })
  void the_same_in_other_words_has_the_same_hash(String from, String to) {
    assertThat(ApplicationHash.of(spec(MANIFEST.replace(from, to)))).isEqualTo(ORIGINAL);
  }

  @Test
  void metadata_is_not_part_of_it() {
    FlinkApplication resource = Serialization.unmarshal(MANIFEST, FlinkApplication.class);
    resource
        .getMetadata()
        .setAnnotations(Map.of("kubectl.kubernetes.io/last-applied-configuration", "{}"));
    resource.getMetadata().setLabels(Map.of("team", "streams"));

    assertThat(ApplicationHash.of(resource.getSpec())).isEqualTo(ORIGINAL);
  }

  @Test
  void in_names_it_is_shorter_and_another_one_after_a_collision() {
    assertThat(ORIGINAL.full()).matches("[0-9a-f]{64}");
    assertThat(ORIGINAL.inNames(0)).isEqualTo(ORIGINAL.full().substring(0, 10));
    assertThat(ORIGINAL.inNames(1)).matches("[0-9a-f]{10}").isNotEqualTo(ORIGINAL.inNames(0));
    assertThat(ORIGINAL.inNames(2)).isNotEqualTo(ORIGINAL.inNames(1));
  }

  @Test
  void a_change_of_the_parallelism_alone_is_told_from_others() {
    FlinkApplicationSpec before = spec(MANIFEST);

    assertThat(ApplicationHash.differInParallelismOnly(before, before.withParallelism(4))).isTrue();
    assertThat(ApplicationHash.differInParallelismOnly(before, before)).isFalse();
    assertThat(
            ApplicationHash.differInParallelismOnly(
                before, before.withParallelism(4).withRestartNonce("again")))
        .isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "1.20,false",
    "1.11.2,false",
    "v2_2,false",
    "1.10,true",
    "1.8.1,true",
    "'',true",
    "latest,true"
  })
  void before_flink_1_11_and_where_the_version_is_not_known_only_the_heap_is_set(
      String version, boolean heapOnly) {
    assertThat(ImageVersion.isHeapOnly(version)).isEqualTo(heapOnly);
  }
}
