package dev.sluice.api.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.testing.fuzz.CrdSchema;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code every-field.yaml}, which an end-to-end test deploys as it is, has each field of the CRD:
 * whoever adds one must show that a manifest with it can be deployed.
 */
class EveryFieldTest {

  private static final JsonNode MANIFEST =
      CrdSchema.yaml(Path.of("src/test/resources/manifests/valid/every-field.yaml")).path("spec");

  private static final JsonNode SCHEMA =
      CrdSchema.yaml(Path.of("../deploy/crds/flinkdeployments.flink.apache.org-v1.yml"))
          .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");

  /** Fields that cannot be in it, and why. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          ".job.flinkStateSnapshotReference",
          "it stands for initialSavepointPath; SnapshotIT starts a job from one",
          ".jobManager.resources.claims",
          "it names a claim of the pod that only a driver of a device can fulfil",
          ".taskManager.resources.claims",
          "as for the JobManager");

  static Stream<String> fields() {
    return leaves(SCHEMA, "")
        .filter(path -> EXCEPTIONS.keySet().stream().noneMatch(path::startsWith));
  }

  @ParameterizedTest(name = "spec{0}")
  @MethodSource("fields")
  void isInTheManifest(String path) {
    assertThat(has(MANIFEST, path)).isTrue();
  }

  @Test
  void everyExceptionIsStillAField() {
    assertThat(EXCEPTIONS.keySet())
        .allSatisfy(field -> assertThat(leaves(SCHEMA, "")).anyMatch(it -> it.startsWith(field)));
  }

  /** Paths such as {@code .job.args} and {@code .ingress.tls.secretName}. */
  private static Stream<String> leaves(JsonNode schema, String path) {
    if (schema.has("items")) {
      return leaves(schema.path("items"), path);
    }
    return schema.has("properties")
        ? schema.path("properties").properties().stream()
            .flatMap(field -> leaves(field.getValue(), path + "." + field.getKey()))
        : Stream.of(path);
  }

  private static boolean has(JsonNode value, String path) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false).anyMatch(item -> has(item, path));
    }
    if (path.isEmpty()) {
      return !value.isMissingNode() && !value.isNull();
    }
    String[] firstAndRest = path.substring(1).split("(?=\\.)", 2);
    return has(value.path(firstAndRest[0]), firstAndRest.length == 2 ? firstAndRest[1] : "");
  }
}
