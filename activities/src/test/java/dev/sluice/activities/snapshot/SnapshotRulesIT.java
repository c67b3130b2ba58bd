package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.testing.ApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
  private static final String REFUSED = "# api-server: ";

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void open(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  static Stream<Path> valid() {
    return in("valid");
  }

  static Stream<Path> invalid() {
    return in("invalid");
  }

  private static Stream<Path> in(String folder) {
    try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
      return files.sorted().toList().stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private FlinkStateSnapshot create(Path manifest) throws IOException {
    FlinkStateSnapshot snapshot =
        Serialization.unmarshal(Files.readString(manifest), FlinkStateSnapshot.class);
    return client.resource(snapshot).inNamespace(namespace).create();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void aValidManifestIsTakenAsItIs(Path manifest) throws IOException {
    FlinkStateSnapshot created = create(manifest);

    FlinkStateSnapshot wanted =
        Serialization.unmarshal(Files.readString(manifest), FlinkStateSnapshot.class);
    assertThat(created.getSpec()).isEqualTo(wanted.getSpec());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void anInvalidManifestIsRefusedWhereTheManifestSaysSo(Path manifest) throws IOException {
    Optional<String> told =
        Files.readAllLines(manifest).stream()
            .filter(line -> line.startsWith(REFUSED))
            .map(line -> line.substring(REFUSED.length()))
            .findFirst();

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
    FlinkStateSnapshot created = create(FOLDER.resolve("valid/savepoint.yaml"));

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
