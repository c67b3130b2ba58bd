package dev.sluice.api.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.testing.TestManifest;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Manifests of FlinkStateSnapshots that are valid. */
class SnapshotManifestsTest {

  private static final Path FOLDER = Path.of("src/test/resources/manifests/snapshot");
  private static final CrdSchema SCHEMA =
      CrdSchema.read(Path.of("../deploy/crds/flinkstatesnapshots.flink.apache.org-v1.yml"));

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void theSchemaTakesIt(TestManifest manifest) {
    assertThat(SCHEMA.violations(CrdSchema.yaml(manifest.file()))).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void whatIsReadIsWrittenAgain(TestManifest manifest) {
    FlinkStateSnapshot snapshot =
        Serialization.unmarshal(manifest.text(), FlinkStateSnapshot.class);

    assertThat(new ObjectMapper().<JsonNode>valueToTree(snapshot.getSpec()))
        .isEqualTo(CrdSchema.yaml(manifest.file()).path("spec"));
  }
}
