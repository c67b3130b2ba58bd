package dev.sluice.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.DesiredJobState;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.UpgradeMode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FrozenSpecTest {
  private static final String MANIFEST =
      """
      apiVersion: flink.apache.org/v1beta1
      kind: FlinkDeployment
      metadata: {name: orders, generation: 7}
      spec:
        image: flink:1.20
        flinkVersion: v1_20
        serviceAccount: flink
        flinkConfiguration:
          taskmanager.numberOfTaskSlots: 2
          state: {checkpoints: {dir: "s3://bucket/cp"}}
        podTemplate:
          apiVersion: v1
          kind: Pod
          spec:
            containers: [{name: flink-main-container, notYetInvented: {a: [1, 2]}}]
        jobManager: {resource: {cpu: 0.5, memory: 1024m}, replicas: 2}
        taskManager:
          resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 2Gi}}
        ingress: {template: "{{name}}.example.com", tls: [{hosts: [a], secretName: s}]}
        job: {jarURI: "local:///a.jar", parallelism: 2, upgradeMode: savepoint, args: [--x, "1"]}
      """;

  private static FlinkDeployment read(String yaml) {
    return Serialization.unmarshal(yaml, FlinkDeployment.class);
  }

  @Test
  void everyFieldSurvivesTheRoundTrip() {
    FrozenSpec frozen = new FrozenSpec(read(MANIFEST).getSpec(), 7, true);

    assertThat(FrozenSpec.parse(frozen.toJson())).isEqualTo(frozen);
  }

  @Test
  void unknownPodTemplateContentSurvives() {
    FrozenSpec frozen = new FrozenSpec(read(MANIFEST).getSpec(), 7, false);

    assertThat(FrozenSpec.parse(frozen.toJson()).spec().podTemplate().toString())
        .contains("\"notYetInvented\":{\"a\":[1,2]}")
        .contains("\"kind\":\"Pod\"");
  }

  @Test
  void theDocumentHasApachesShape() {
    FrozenSpec frozen = new FrozenSpec(FlinkDeploymentSpec.EMPTY.withImage("flink:1.20"), 7, true);

    assertThat(frozen.toJson())
        .startsWith("{\"spec\":{")
        .contains("\"image\":\"flink:1.20\"")
        .endsWith(
            "\"resource_metadata\":{\"apiVersion\":\"flink.apache.org/v1beta1\","
                + "\"metadata\":{\"generation\":7},\"firstDeployment\":true,"
                + "\"defaultConfiguration\":{}}}");
  }

  @Test
  void aMissingGenerationReadsAsZero() {
    FrozenSpec read =
        FrozenSpec.parse(
            """
            {"spec":{"job":{"jarURI":"local:///a.jar","parallelism":2,"upgradeMode":"last-state",
             "state":"suspended","args":[],"fieldOfTheFuture":1},"restartNonce":null,
             "podTemplate":null,"jobManager":{"resource":null,"replicas":1,"podTemplate":null}},
             "resource_metadata":{"apiVersion":"flink.apache.org/v1beta1","firstDeployment":true}}
            """);

    assertThat(read.generation()).isZero();
    assertThat(read.firstDeployment()).isTrue();
    assertThat(read.spec().job().upgradeMode()).isEqualTo(UpgradeMode.LAST_STATE);
    assertThat(read.spec().job().state()).isEqualTo(DesiredJobState.SUSPENDED);
    assertThat(read.spec().podTemplate()).isNull();
  }

  @Test
  void theBareSpecOfApachesFirstReleasesIsRead() {
    FrozenSpec read =
        FrozenSpec.parse("{\"image\":\"flink:1.15\",\"apiVersion\":\"flink.apache.org/v1beta1\"}");

    assertThat(read)
        .isEqualTo(
            new FrozenSpec(FlinkDeploymentSpec.EMPTY.withImage("flink:1.15"), 0, false, null));
  }

  @Test
  void theDefaultsOfThatTimeAreKeptAndTheSpecWins() {
    FlinkConfiguration then =
        FlinkConfiguration.of(Map.of("taskmanager.numberOfTaskSlots", "9", "web.timeout", "1 s"));
    FlinkConfiguration now = FlinkConfiguration.of(Map.of("web.timeout", "2 s", "new", "x"));
    FrozenSpec frozen = new FrozenSpec(read(MANIFEST).getSpec(), 7, true, then);

    FrozenSpec later = FrozenSpec.parse(frozen.toJson()).withMissingDefaults(now);

    assertThat(later).isEqualTo(frozen);
    assertThat(later.effective().configuration().asMap())
        .containsEntry("taskmanager.numberOfTaskSlots", "2")
        .containsEntry("web.timeout", "1 s")
        .doesNotContainKey("new");
    assertThat(later.spec()).isEqualTo(read(MANIFEST).getSpec());
  }

  @Test
  void aDefaultThatMayBeASecretIsNotWrittenAndReadAsItIsNow() {
    Map<String, String> then =
        Map.of("s3.secret-key", "hunter1", "url", "https://me:hunter1@x/", "web.timeout", "1 s");
    Map<String, String> now =
        Map.of("s3.secret-key", "hunter2", "url", "https://me:hunter2@x/", "web.timeout", "2 s");
    FrozenSpec frozen =
        new FrozenSpec(read(MANIFEST).getSpec(), 7, true, FlinkConfiguration.of(then));

    assertThat(frozen.toJson()).doesNotContain("hunter").contains("\"web.timeout\":\"1 s\"");
    assertThat(
            FrozenSpec.parse(frozen.toJson())
                .withMissingDefaults(FlinkConfiguration.of(now))
                .effective()
                .configuration()
                .asMap())
        .containsEntry("s3.secret-key", "hunter2")
        .containsEntry("url", "https://me:hunter2@x/")
        .containsEntry("web.timeout", "1 s");
  }

  @Test
  void whatApachesOperatorDeployedHasTheDefaultsOfNow() {
    FrozenSpec theirs = FrozenSpec.parse("{\"spec\":{},\"resource_metadata\":{}}");
    FlinkConfiguration now = FlinkConfiguration.of(Map.of("web.timeout", "2 s"));

    assertThat(theirs.withMissingDefaults(now).effective().configuration()).isEqualTo(now);
  }

  @Test
  void anythingElseIsRefusedWithAReason() {
    assertThatThrownBy(() -> FrozenSpec.parse("[1]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("JSON object");
    assertThatThrownBy(() -> FrozenSpec.parse("{"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("frozen spec");
    assertThatThrownBy(() -> FrozenSpec.parse("{\"resource_metadata\":{}}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"spec\"");
  }
}
