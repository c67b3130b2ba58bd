package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobStatus;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server takes and refuses by the definition of FlinkSessionJob. */
@ExtendWith(ApiServer.Extension.class)
class FlinkSessionJobIT {

  private static final Path MANIFESTS = Path.of("../api/src/test/resources/manifests/sessionjob");
  private static final String API_SERVER = "# api-server: ";

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void namespace(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  private FlinkSessionJob create(String yaml) {
    return client
        .resource(Serialization.unmarshal(yaml, FlinkSessionJob.class))
        .inNamespace(namespace)
        .create();
  }

  /** A typed resource would say {@code spec: {}} where the manifest says nothing. */
  private GenericKubernetesResource createAsWritten(String yaml) {
    return client
        .genericKubernetesResources(FlinkSessionJob.API_VERSION, FlinkSessionJob.KIND)
        .inNamespace(namespace)
        .resource(Serialization.unmarshal(yaml, GenericKubernetesResource.class))
        .create();
  }

  private static List<String> texts(String folder) throws IOException {
    try (Stream<Path> files = Files.list(MANIFESTS.resolve(folder))) {
      return files.sorted().map(FlinkSessionJobIT::text).toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private FlinkSessionJob deployed() {
    FlinkSessionJob job = create(text(MANIFESTS.resolve("valid/basic.yaml")));
    job.setStatus(
        FlinkSessionJobStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY.withLastReconciledSpec(
                new FrozenSessionJob(job.getSpec(), 1, true).toJson())));
    return client.resource(job).updateStatus();
  }

  @Test
  void validManifestsAreTakenAsTheyAre() throws IOException {
    for (String manifest : texts("valid")) {
      FlinkSessionJob written = Serialization.unmarshal(manifest, FlinkSessionJob.class);

      assertThat(create(manifest).getSpec()).isEqualTo(written.getSpec());
    }
  }

  @Test
  void whatTheRulesForbidIsRefusedWithItsReason() throws IOException {
    for (String manifest : texts("invalid")) {
      Optional<String> refusal =
          manifest
              .lines()
              .filter(it -> it.startsWith(API_SERVER))
              .map(it -> it.substring(API_SERVER.length()))
              .findFirst();
      if (refusal.isPresent()) {
        assertThatThrownBy(() -> createAsWritten(manifest))
            .isInstanceOf(KubernetesClientException.class)
            .hasMessageContaining(refusal.get());
      } else {
        assertThat(createAsWritten(manifest).getMetadata().getUid()).isNotNull();
      }
    }
  }

  @Test
  void theClusterOfADeployedJobCannotBeChanged() {
    FlinkSessionJob job = deployed();
    job.setSpec(job.getSpec().withDeploymentName("other"));

    assertThatThrownBy(() -> client.resource(job).update())
        .hasMessageContaining("spec.deploymentName")
        .hasMessageContaining("cannot be changed once deployed");
  }

  @Test
  void theClusterOfAJobThatWasNeverDeployedCanBeChanged() {
    FlinkSessionJob job = create(text(MANIFESTS.resolve("valid/basic.yaml")));
    job.setSpec(job.getSpec().withDeploymentName("other"));

    assertThat(client.resource(job).update().getSpec().deploymentName()).isEqualTo("other");
  }

  @Test
  void aRedeploymentNeedsASavepoint() {
    FlinkSessionJob job = deployed();
    job.setSpec(job.getSpec().withJob(job.getSpec().job().withSavepointRedeployNonce(1L)));

    assertThatThrownBy(() -> client.resource(job).update())
        .hasMessageContaining("must name the savepoint to redeploy from");
  }
}
