package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.cluster.Operator.Program;
import dev.sluice.local.jvm.Java;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTest {

  private static final Path MANIFESTS = Path.of("..", "operator");

  @TempDir Path root;

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
  void replacesPodsWhenTheirCommandChanges() {
    Ports ports = new Ports(21_900);
    String before = Operator.image("worker", List.of("java", "-Xmx160m", "Main"), ports);

    assertThat(Operator.image("worker", List.of("java", "-Xmx170m", "Main"), ports))
        .startsWith("sluice/worker:")
        .isNotEqualTo(before);
  }

  private JsonNode images(Operator operator) throws IOException {
    operator.writeImages();
    return new ObjectMapper().readTree(root.resolve("home/images.json").toFile()).path("images");
  }

  @Test
  void leavesPodsAloneWhenNothingChanged() throws IOException {
    build("one");

    assertThat(worker(operator(21_900))).isEqualTo(worker(operator(21_900)));
  }

  @Test
  void keepsTheImageOfWhatIsNotBuilt() throws IOException {
    assertThat(worker(operator(21_900))).isEqualTo("sluice/worker:dev");
    assertThat(images(operator(21_900))).isEmpty();
  }

  @Test
  void knowsThatAPodWithoutAnAddressIsNotReady() {
    assertThat(Operator.programs("worker \n", List.of()))
        .singleElement()
        .satisfies(worker -> assertThat(worker.problem()).hasValue("its pod has not started"));
  }

  @Test
  void knowsThatAProgramWithoutAPodIsNotReady() {
    Application worker = new Application("worker", "Main", List.of(), "f00d");

    assertThat(Operator.programs("controller 127.0.1.2\n", List.of(worker)))
        .extracting(Program::component)
        .containsExactly("controller", "worker");
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
            root,
            Java.current()),
        Progress.silent());
  }

  /** The worker's image. */
  private static String worker(Operator operator) throws IOException {
    return operator
        .localized(Files.readString(MANIFESTS.resolve("30-worker.yaml")))
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("image: "))
        .map(line -> line.substring("image: ".length()))
        .findFirst()
        .orElseThrow();
  }
}
