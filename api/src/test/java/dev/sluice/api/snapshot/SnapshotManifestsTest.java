package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Manifests of FlinkStateSnapshots, as for FlinkDeployments: {@code # expect: PATH: MESSAGE}. */
class SnapshotManifestsTest {

  private static final String EXPECT = "# expect: ";
  private static final Path FOLDER = Path.of("src/test/resources/manifests/snapshot");
  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/crds/flinkstatesnapshots.flink.apache.org-v1.yml"));

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

  private static List<String> violations(Path manifest) throws IOException {
    FlinkStateSnapshot snapshot =
        Serialization.unmarshal(Files.readString(manifest), FlinkStateSnapshot.class);
    return SnapshotValidation.validate(snapshot).stream().map(Violation::toString).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void theSchemaAndValidationTakeIt(Path manifest) throws IOException {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest))).isEmpty();
    assertThat(violations(manifest)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void whatIsReadIsWrittenAgain(Path manifest) throws IOException {
    FlinkStateSnapshot snapshot =
        Serialization.unmarshal(Files.readString(manifest), FlinkStateSnapshot.class);

    assertThat(new ObjectMapper().<JsonNode>valueToTree(snapshot.getSpec()))
        .isEqualTo(CrdSchema.yaml(manifest).path("spec"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void theViolationIsToldWithPathAndMessage(Path manifest) throws IOException {
    List<String> expected =
        Files.readAllLines(manifest).stream()
            .filter(line -> line.startsWith(EXPECT))
            .map(line -> line.substring(EXPECT.length()))
            .toList();

    assertThat(violations(manifest)).hasSameSizeAs(expected);
    assertThat(violations(manifest))
        .zipSatisfy(expected, (told, wanted) -> assertThat(told).startsWith(wanted));
  }
}
