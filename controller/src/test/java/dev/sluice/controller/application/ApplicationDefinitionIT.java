package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.application.ApplicationHash;
import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeploymentMode;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the API server makes of a FlinkApplication. */
@ExtendWith(ApiServer.Extension.class)
class ApplicationDefinitionIT {

  private static final String MANIFEST =
      """
      apiVersion: flink.k8s.io/v1beta1
      kind: FlinkApplication
      metadata:
        name: wordcount
        annotations: {team: streams}
        labels: {environment: development}
      spec:
        image: registry.example.com/wordcount:1.0
        imagePullSecrets: [{name: pull}]
        deleteMode: None
        flinkConfig:
          taskmanager.memory.network.fraction: 0.1
          state.backend.fs.checkpointdir: file:///checkpoints/flink/checkpoints
        jobManagerConfig:
          resources: {requests: {memory: 200Mi, cpu: "0.1"}}
          replicas: 1
        taskManagerConfig:
          taskSlots: 2
          resources: {requests: {memory: 200Mi, cpu: "0.1"}}
          envConfig: {env: [{name: REGION, value: eu}]}
        volumes: [{name: data, emptyDir: {}}]
        volumeMounts: [{name: data, mountPath: /data}]
        flinkVersion: "1.20"
        jarName: wordcount.jar
        parallelism: 3
        entryClass: org.example.WordCount
        programArgs: "--input /data"
      """;

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void startClient(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  private GenericKubernetesResource create(String manifest) {
    return client
        .resource(Serialization.unmarshal(manifest, GenericKubernetesResource.class))
        .inNamespace(namespace)
        .create();
  }

  private FlinkApplication read() {
    return client
        .resources(FlinkApplication.class)
        .inNamespace(namespace)
        .withName("wordcount")
        .require();
  }

  @Test
  void a_manifest_for_the_operator_of_lyft_is_taken_and_its_defaults_change_no_hash() {
    FlinkApplication asWritten = Serialization.unmarshal(MANIFEST, FlinkApplication.class);

    create(MANIFEST);

    FlinkApplication stored = read();
    assertThat(stored.getSpec()).isEqualTo(asWritten.getSpec());
    assertThat(stored.getSpec().deploymentMode()).isEqualTo(DeploymentMode.DUAL);
    assertThat(stored.getSpec().configuration().asMap())
        .containsEntry("taskmanager.memory.network.fraction", "0.1");
    assertThat(ApplicationHash.of(stored.getSpec()))
        .isEqualTo(ApplicationHash.of(asWritten.getSpec()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "image: registry.example.com/wordcount:1.0 | imagePullPolicy: Never | spec.image",
        "jarName: wordcount.jar | jarName: jars/wordcount.jar | spec.jarName",
        "parallelism: 3 | parallelism: 0 | spec.parallelism",
        "parallelism: 3 | restartNonce: again | spec.parallelism",
        "deleteMode: None | deleteMode: Orphan | spec.deleteMode",
        "deleteMode: None | deploymentMode: Single | spec.deploymentMode",
        "deleteMode: None | savepointRedeployNonce: 1 | spec.savepointPath",
        "deleteMode: None | promotion: {checkpoints: 3} | spec.promotion",
        "taskSlots: 2 | taskSlots: 0 | spec.taskManagerConfig.taskSlots",
        "cpu: \"0.1\" | cpu: half | spec.jobManagerConfig.resources.requests.cpu",
        "name: wordcount | name: Wordcount | metadata.name",
        "entryClass: org.example.WordCount | restartNonce: again | spec.entryClass",
        "deleteMode: None | imagePullPolicy: Sometimes | spec.imagePullPolicy",
        "deleteMode: None | uiPort: 70000 | spec.uiPort",
        "deleteMode: None | maxCheckpointRestoreAgeSeconds: 0 | spec.maxCheckpointRestoreAgeSeconds",
        "deleteMode: None | scaleMode: Anywhere | spec.scaleMode",
        "deleteMode: None | serviceAccountName: Flink_Account | spec.serviceAccountName",
        "replicas: 1 | replicas: 0 | spec.jobManagerConfig.replicas",
        "replicas: 1 | systemMemoryFraction: 1.5 | spec.jobManagerConfig.systemMemoryFraction",
        "memory: 200Mi | memory: lots | spec.jobManagerConfig.resources.requests.memory",
      })
  void a_mistake_is_refused_with_its_path(String right, String wrong, String path) {
    assertThatThrownBy(() -> create(MANIFEST.replace(right, wrong)))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(path);
  }

  /** Lyft's definition keeps whatever is written. {@code kubectl} asks for strict validation. */
  @Test
  void a_field_that_is_not_known_is_not_kept() {
    create(MANIFEST.replace("deleteMode: None", "deletionMode: None"));

    assertThat(
            Serialization.asJson(
                client
                    .genericKubernetesResources(FlinkApplication.API_VERSION, FlinkApplication.KIND)
                    .inNamespace(namespace)
                    .withName("wordcount")
                    .require()))
        .contains("\"deleteMode\":\"Savepoint\"")
        .doesNotContain("deletionMode");
  }

  @Test
  void the_mode_cannot_be_changed_once_something_is_deployed() {
    create(MANIFEST);
    FlinkApplication deployed = read();
    deployed.setStatus(
        FlinkApplicationStatus.EMPTY
            .withPhase(ApplicationPhase.RUNNING)
            .withDeployHash("1a2b3c4d5e"));
    client.resource(deployed).updateStatus();
    FlinkApplication other = read();
    other.setSpec(other.getSpec().withDeploymentMode(DeploymentMode.BLUE_GREEN));

    assertThatThrownBy(() -> client.resource(other).update())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("spec.deploymentMode");
  }

  @Test
  void a_status_that_the_operator_of_lyft_has_left_is_taken_and_read() {
    create(MANIFEST);
    GenericKubernetesResource left =
        Serialization.unmarshal(MANIFEST, GenericKubernetesResource.class);
    left.getMetadata().setNamespace(namespace);
    left.setAdditionalProperty(
        "status",
        Map.of(
            "phase",
            "",
            "deployHash",
            "1a2b3c4d",
            "jobStatus",
            Map.of("jarName", "", "parallelism", 0, "state", "RUNNING"),
            "clusterStatus",
            Map.of("availableTaskSlots", 0)));

    client.resource(left).patchStatus();

    assertThat(read().getStatus().phase()).isEqualTo(ApplicationPhase.NEW);
    assertThat(read().getStatus().deployHash()).isEqualTo("1a2b3c4d");
  }
}
