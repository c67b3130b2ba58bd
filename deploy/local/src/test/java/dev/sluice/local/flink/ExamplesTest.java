package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String IMAGE_JARS = "local:///opt/flink/usrlib/";
  private static final String SHARED_JARS = "local:///tmp/sluice/flink-data/jars/";

  static Stream<Path> manifests() throws IOException {
    return Files.list(Path.of("examples"))
        .filter(file -> file.toString().endsWith(".yaml"))
        .filter(ExamplesTest::hasClusters);
  }

  /** Those that have a job of their own. */
  static Stream<Path> applications() throws IOException {
    return manifests().filter(file -> !spec(file).path("job").isMissingNode());
  }

  private static boolean hasClusters(Path file) {
    String kind = read(file).path("kind").asText();
    return kind.equals("FlinkDeployment") || kind.equals("FlinkBlueGreenDeployment");
  }

  /** The children of one that cuts over exactly once are session clusters. */
  private static boolean isForSession(Path file) {
    return read(file).at("/spec/configuration").has("sluice.bluegreen.cut-over");
  }

  /** Of a FlinkDeployment; that of the children of a FlinkBlueGreenDeployment. */
  private static JsonNode spec(Path file) {
    JsonNode template = read(file).at("/spec/template/spec");
    return template.isMissingNode() ? read(file).path("spec") : template;
  }

  private static JsonNode read(Path file) {
    try {
      return YAML.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void theImageIsOneTheLocalNodeKnowsAndFitsTheVersion(Path manifest) throws IOException {
    JsonNode spec = spec(manifest);

    assertThat(FlinkRelease.ofImage(spec.path("image").asText()))
        .get()
        .extracting(release -> "v" + release.minor().replace('.', '_'))
        .isEqualTo(spec.path("flinkVersion").asText());
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void theConfigurationIsTheSmallOne(Path manifest) throws IOException {
    JsonNode spec = spec(manifest);
    Map<String, String> small = new HashMap<>(SmallFlinkConfig.memory());
    small.putAll(SmallFlinkConfig.quick());

    assertThat(
            YAML.convertValue(
                spec.path("flinkConfiguration"), new TypeReference<Map<String, String>>() {}))
        .containsAllEntriesOf(small);
    assertThat(spec.at("/jobManager/resource/memory").asText())
        .isEqualTo(SmallFlinkConfig.JOBMANAGER_SIZE);
    assertThat(spec.at("/taskManager/resource/memory").asText())
        .isEqualTo(SmallFlinkConfig.TASKMANAGER_SIZE);
  }

  @ParameterizedTest
  @MethodSource("manifests")
  void stateLiesAtThePathThatTheContainerSees(Path manifest) throws IOException {
    JsonNode pod = spec(manifest).at("/podTemplate/spec");

    assertThat(pod.at("/containers/0/volumeMounts/0/mountPath").asText())
        .isNotEmpty()
        .isEqualTo(pod.at("/volumes/0/hostPath/path").asText());
  }

  @ParameterizedTest
  @MethodSource("applications")
  void theJobIsTheSampleJobAsTheImagesCarryIt(Path manifest) throws IOException {
    JsonNode job = spec(manifest).path("job");

    assertThat(job.path("jarURI").asText())
        .isEqualTo((isForSession(manifest) ? SHARED_JARS : IMAGE_JARS) + ImageFiles.JOB);
    assertThat(
            getClass()
                .getResource("/" + job.path("entryClass").asText().replace('.', '/') + ".class"))
        .isNotNull();
  }

  @Test
  void sessionJobsNameASessionClusterAmongTheExamples() throws IOException {
    List<JsonNode> jobs =
        YAML.readerFor(JsonNode.class)
            .<JsonNode>readValues(Path.of("examples/session-jobs.yaml").toFile())
            .readAll();
    List<String> clusters =
        manifests()
            .filter(it -> spec(it).path("job").isMissingNode())
            .map(it -> read(it).at("/metadata/name").asText())
            .toList();

    assertThat(jobs).hasSize(2);
    assertThat(jobs).extracting(it -> it.at("/spec/deploymentName").asText()).isSubsetOf(clusters);
    assertThat(jobs).extracting(it -> it.at("/metadata/name").asText()).doesNotHaveDuplicates();
    assertThat(jobs)
        .extracting(it -> it.at("/spec/job/entryClass").asText().replace('.', '/'))
        .allMatch(it -> getClass().getResource("/" + it + ".class") != null);
  }
}
