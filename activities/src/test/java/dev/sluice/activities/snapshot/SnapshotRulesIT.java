package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.TestManifest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server itself says to FlinkStateSnapshots. */
@ExtendWith(ApiServer.Extension.class)
class SnapshotRulesIT {

  private static final Path FOLDER = Path.of("../api/src/test/resources/manifests/snapshot");

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void open(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  static Stream<TestManifest> invalid() {
    return TestManifest.in(FOLDER.resolve("invalid"));
  }

  private FlinkStateSnapshot create(TestManifest manifest) {
    FlinkStateSnapshot snapshot =
        Serialization.unmarshal(manifest.text(), FlinkStateSnapshot.class);
    return client.resource(snapshot).inNamespace(namespace).create();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void aValidManifestIsTakenAsItIs(TestManifest manifest) {
    FlinkStateSnapshot created = create(manifest);

    FlinkStateSnapshot wanted = Serialization.unmarshal(manifest.text(), FlinkStateSnapshot.class);
    assertThat(created.getSpec()).isEqualTo(wanted.getSpec());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void anInvalidManifestIsRefusedWhereTheManifestSaysSo(TestManifest manifest) {
    Optional<String> told = manifest.apiServer();

    if (told.isPresent()) {
      assertThatThrownBy(() -> create(manifest))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(told.get());
    } else {
      assertThat(create(manifest).getMetadata().getUid()).isNotNull();
    }
  }

  @Test
  void theSpecCannotBeChangedAndTheStatusCan() throws IOException {
    FlinkStateSnapshot created = create(TestManifest.read(FOLDER.resolve("valid/savepoint.yaml")));

    assertThatThrownBy(
            () ->
                client
                    .resource(created)
                    .edit(
                        it -> {
                          it.setSpec(
                              Serialization.unmarshal(
                                      "---\n{spec: {checkpoint: {}, jobReference: {kind: FlinkDeployment, name: x}}}",
                                      FlinkStateSnapshot.class)
                                  .getSpec());
                          return it;
                        }))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("cannot be changed: make another resource");
    FlinkStateSnapshot written =
        client
            .resource(created)
            .subresource("status")
            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"error\":\"told\"}}");
    assertThat(written.getStatus().error()).isEqualTo("told");
  }
}
