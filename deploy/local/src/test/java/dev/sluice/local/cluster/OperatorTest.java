package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.cluster.Operator.Program;
import dev.sluice.local.jvm.ClassArchive;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTest {

  private static final Path MANIFESTS = Path.of("..", "operator");

  @TempDir Path root;

  @Test
  void pointsSluiceAtTheLocalTemporal() throws IOException {
    String settings = Files.readString(MANIFESTS.resolve("10-settings.yaml"));

    assertThat(operator(21_900).fitted(settings))
        .contains("\n  TEMPORAL_ADDRESS: 127.0.0.1:21901\n  TEMPORAL_NAMESPACE: default\n")
        .contains("SLUICE_LOG_FORMAT: json");
  }

  @Test
  void leavesOtherManifestsAlone() throws IOException {
    String rights = Files.readString(MANIFESTS.resolve("21-worker-rights.yaml"));

    assertThat(operator(21_900).fitted(rights)).isEqualTo(rights);
  }

  @Test
  void replacesPodsWhenTheirProgramWasRebuilt() throws IOException {
    build("one");
    String before = worker(operator(21_900));
    build("another");

    assertThat(worker(operator(21_900))).startsWith("sluice/worker:").isNotEqualTo(before);
  }

  @Test
  void replacesPodsWhenTheirSettingsChange() throws IOException {
    build("one");

    assertThat(worker(operator(21_910))).isNotEqualTo(worker(operator(21_900)));
  }

  @Test
  void leavesPodsAloneWhenNothingChanged() throws IOException {
    build("one");

    assertThat(worker(operator(21_900))).isEqualTo(worker(operator(21_900)));
  }

  @Test
  void keepsTheImageOfWhatIsNotBuilt() throws IOException {
    assertThat(worker(operator(21_900))).isEqualTo("sluice/worker:dev");
    assertThat(operator(21_900).images()).doesNotContain("worker");
  }

  @Test
  void tellsTheNodeWhatAnImageRuns() throws IOException {
    build("one");
    Operator operator = operator(21_900);

    JsonNode images = new ObjectMapper().readTree(operator.images()).path("images");

    JsonNode command = images.path(worker(operator)).path("command");
    assertThat(command)
        .extracting(JsonNode::asText)
        .contains(ClassArchive.java(), "-Xmx160m", "-Djdk.net.hosts.file=$(SLUICE_HOSTS_FILE)");
    assertThat(command.path(command.size() - 1).asText()).isEqualTo("dev.sluice.worker.WorkerMain");
    assertThat(command.path(command.size() - 2).asText())
        .startsWith(root + "/home/applications/worker-");
  }

  @Test
  void readsALineForEachPod() {
    assertThat(Operator.programs("controller 127.0.1.2\nworker 127.0.1.3\n"))
        .containsExactly(
            new Program("controller", "http://127.0.1.2:8080/readyz"),
            new Program("worker", "http://127.0.1.3:8080/readyz"));
    assertThat(Operator.programs("")).isEmpty();
  }

  @Test
  void knowsThatAPodWithoutAnAddressIsNotReady() {
    assertThat(Operator.programs("worker \n"))
        .singleElement()
        .satisfies(worker -> assertThat(worker.problem()).hasValue("its pod has not started"));
  }

  @Test
  void knowsThatAPodThatDoesNotAnswerIsNotReady() {
    assertThat(new Program("worker", "http://127.0.0.1:1/readyz").problem())
        .hasValueSatisfying(problem -> assertThat(problem).startsWith("http://127.0.0.1:1/readyz"));
  }

  private void build(String content) throws IOException {
    Path target = Files.createDirectories(root.resolve("worker/target"));
    Files.writeString(target.resolve("sluice-worker-0.1.0-SNAPSHOT.jar"), content);
  }

  private Operator operator(int portBase) {
    return new Operator(
        new ClusterConfig(
            root.resolve("home"),
            new Ports(portBase),
            "127.5.1",
            new CacheDirectory(Path.of("/cache")),
            root),
        Progress.silent());
  }

  /** The worker's image. */
  private static String worker(Operator operator) throws IOException {
    return operator
        .fitted(Files.readString(MANIFESTS.resolve("30-worker.yaml")))
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("image: "))
        .map(line -> line.substring("image: ".length()))
        .findFirst()
        .orElseThrow();
  }
}
