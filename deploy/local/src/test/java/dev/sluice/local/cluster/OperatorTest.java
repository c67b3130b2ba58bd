package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

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
    String before = worker(operator());
    build("another");

    assertThat(worker(operator())).startsWith("sluice/worker:").isNotEqualTo(before);
  }

  @Test
  void replacesPodsWhenTheirCommandChanges() {
    Ports ports = new Ports(21_900);
    String before = Operator.image("worker", List.of("java", "-Xmx160m", "Main"), ports);

    assertThat(Operator.image("worker", List.of("java", "-Xmx170m", "Main"), ports))
        .startsWith("sluice/worker:")
        .isNotEqualTo(before);
  }

  @Test
  void leavesPodsAloneWhenNothingChanged() throws IOException {
    build("one");

    assertThat(worker(operator())).isEqualTo(worker(operator()));
  }

  @Test
  void knowsThatAProgramWithoutAPodIsNotReady() {
    Application worker = new Application("worker", "Main", List.of(), "f00d");

    assertThat(Operator.programs("controller 127.0.1.2\n", List.of(worker)))
        .extracting(Program::component)
        .containsExactly("controller", "worker");
  }

  private void build(String content) throws IOException {
    Path target = Files.createDirectories(root.resolve("worker/target"));
    Files.writeString(target.resolve("sluice-worker-0.1.0-SNAPSHOT.jar"), content);
  }

  private Operator operator() {
    return new Operator(
        new ClusterConfig(
            root.resolve("home"),
            new Ports(21_900),
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
