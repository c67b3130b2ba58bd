package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreparationTest {
  @TempDir Path dir;
  private Path root;
  private FlinkImage flink;
  private final FakeSources sources =
      new FakeSources().configMap("conf", Map.of("config.yaml", "jars: /opt/flink/usrlib\n"));

  @BeforeEach
  void home() throws IOException {
    root = dir.resolve("pods/ns_p_1/main/root");
    Files.createDirectories(dir.resolve("home/lib"));
    Files.createDirectories(dir.resolve("home/plugins/s3"));
    Files.createDirectories(dir.resolve("shims"));
    Files.writeString(dir.resolve("home/lib/flink.jar"), "flink");
    Files.writeString(dir.resolve("home/plugins/s3/s3.jar"), "s3");
    Files.writeString(dir.resolve("job.jar"), "job");
    Files.writeString(dir.resolve("shims/docker-entrypoint.sh"), "");
    flink =
        new FlinkImage(
            dir.resolve("home"),
            List.of(dir.resolve("job.jar")),
            dir.resolve("shims"),
            Map.of("EXTRA", "1"));
  }

  private static ContainerBuilder container() {
    return new ContainerBuilder()
        .withName("main")
        .withImage("flink")
        .withCommand("/docker-entrypoint.sh")
        .withArgs("bash", "-c", "run --conf /opt/flink/conf on $(POD_IP) > /dev/null");
  }

  private ProcessBuilder prepare(ContainerBuilder container, Image image)
      throws StartProblem, IOException {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("p")
            .endMetadata()
            .withNewSpec()
            .withContainers(container.build())
            .addNewVolume()
            .withName("conf")
            .withNewConfigMap()
            .withName("conf")
            .endConfigMap()
            .endVolume()
            .addNewVolume()
            .withName("scratch")
            .withNewEmptyDir()
            .endEmptyDir()
            .endVolume()
            .addNewVolume()
            .withName("host")
            .withNewHostPath()
            .withPath(dir.resolve("mine").toString())
            .endHostPath()
            .endVolume()
            .endSpec()
            .build();
    Preparation preparation =
        new Preparation(
            pod,
            "127.0.1.9",
            sources,
            dir.resolve("pods/ns_p_1"),
            Map.of("PATH", "/bin", "POD_IP", "127.0.1.9"));
    return preparation.prepare(container.build(), image);
  }

  @Test
  void aFlinkContainerSeesItsHomeUnderItsOwnRoot() throws Exception {
    ProcessBuilder process = prepare(container(), flink);

    assertThat(root.resolve("opt/flink/lib/flink.jar")).isSymbolicLink().hasContent("flink");
    assertThat(root.resolve("opt/flink/usrlib/job.jar")).isSymbolicLink().hasContent("job");
    assertThat(root.resolve("opt/flink/flink-web-upload/job.jar")).hasContent("job");
    assertThat(process.directory().toPath()).isEqualTo(root.resolve("opt/flink"));
    assertThat(process.environment())
        .containsEntry("FLINK_HOME", dir.resolve("home").toString())
        .containsEntry("FLINK_ROOT", root.resolve("opt/flink").toString())
        .containsEntry("FLINK_CONF_DIR", root.resolve("opt/flink/conf").toString())
        .containsEntry("PATH", dir.resolve("shims") + ":/bin")
        .containsEntry("EXTRA", "1");
  }

  @Test
  void theCommandIsRunAsWrittenWithPathsTurnedAndReferencesReplaced() throws Exception {
    ProcessBuilder process = prepare(container(), flink);

    assertThat(process.command())
        .containsExactly(
            dir.resolve("shims/docker-entrypoint.sh").toString(),
            "bash",
            "-c",
            "run --conf " + root.resolve("opt/flink/conf") + " on 127.0.1.9 > /dev/null");
  }

  @Test
  void aConfigMapsFilesHaveTheirPathsTurned() throws Exception {
    prepare(
        container()
            .addNewVolumeMount()
            .withName("conf")
            .withMountPath("/opt/flink/conf/")
            .endVolumeMount(),
        flink);

    assertThat(root.resolve("opt/flink/conf/config.yaml"))
        .hasContent("jars: " + root.resolve("opt/flink/usrlib"));
  }

  @Test
  void aVolumeInsideTheHomeNeverTouchesTheSharedHome() throws Exception {
    prepare(
        container()
            .addNewVolumeMount()
            .withName("scratch")
            .withMountPath("/opt/flink/plugins/s3")
            .endVolumeMount(),
        flink);

    assertThat(root.resolve("opt/flink/plugins/s3")).isSymbolicLink().isEmptyDirectory();
    assertThat(dir.resolve("home/plugins/s3/s3.jar")).exists();
  }

  @Test
  void aHostPathIsHandedOverAsItIs() throws Exception {
    ProcessBuilder process =
        prepare(
            container()
                .withArgs("file:///flink-data/sp")
                .addNewVolumeMount()
                .withName("host")
                .withMountPath("/flink-data")
                .endVolumeMount(),
            flink);

    assertThat(process.command()).last().isEqualTo("file://" + dir.resolve("mine/sp"));
    assertThat(root.resolve("flink-data")).isSymbolicLink();
  }

  private static ContainerBuilder mounting(String... volumesAndPaths) {
    ContainerBuilder container = container();
    for (int i = 0; i < volumesAndPaths.length; i += 2) {
      container
          .addNewVolumeMount()
          .withName(volumesAndPaths[i])
          .withMountPath(volumesAndPaths[i + 1])
          .endVolumeMount();
    }
    return container;
  }

  @ParameterizedTest
  @ValueSource(strings = {"host", "scratch"})
  void aMountInsideAFolderThatIsNotTheContainersOwnIsRefusedAndChangesNothing(String outer)
      throws Exception {
    Files.createDirectories(dir.resolve("mine/conf"));
    Path precious = Files.writeString(dir.resolve("mine/conf/precious"), "x");

    assertThatThrownBy(() -> prepare(mounting(outer, "/data", "conf", "/data/conf"), flink))
        .isInstanceOf(StartProblem.class)
        .hasMessageContaining("/data/conf");
    assertThat(precious).hasContent("x");
    assertThat(dir.resolve("mine/conf").toFile().list()).containsExactly("precious");
  }

  @Test
  void aMountInsideAConfigMapsFolderIsPlacedThere() throws Exception {
    prepare(mounting("conf", "/data", "scratch", "/data/tmp"), flink);

    assertThat(root.resolve("data/config.yaml")).exists();
    assertThat(root.resolve("data/tmp")).isSymbolicLink().isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/../../../outside", "/a/../../..", "..", "/", "//", "/.."})
  void aMountOutsideTheContainersRootIsRefused(String path) throws Exception {
    Path precious = Files.createDirectories(dir.resolve("pods/precious"));

    assertThatThrownBy(() -> prepare(mounting("conf", path), flink))
        .isInstanceOf(StartProblem.class)
        .hasMessageContaining("mountPath");
    assertThat(precious).exists();
  }

  @Test
  void whatAnAttemptLeftInItsRootIsNotThereForTheNextButVolumesAre() throws Exception {
    var mounted =
        container()
            .addNewVolumeMount()
            .withName("scratch")
            .withMountPath("/tmp/s")
            .endVolumeMount();
    prepare(mounted, flink);
    Files.writeString(root.resolve("left"), "x");
    Files.writeString(root.resolve("tmp/s/kept"), "y");

    prepare(mounted, flink);

    assertThat(root.resolve("left")).doesNotExist();
    assertThat(root.resolve("tmp/s/kept")).hasContent("y");
  }

  @Test
  void aProcessImagesCommandIsTheEntryPointAndArgumentsFollow() throws Exception {
    var image = new Image.Program(List.of("java", "-Dh=$(POD_IP)"), Map.of());
    var plain = container().withCommand().withArgs("--serve");

    assertThat(prepare(plain, image).command()).containsExactly("java", "-Dh=127.0.1.9", "--serve");
    assertThat(prepare(plain.withCommand("sh"), image).command()).containsExactly("sh", "--serve");
  }

  @Test
  void whatTheNodeCannotDoIsAProblemOfThePod() {
    assertThatThrownBy(() -> prepare(container().withWorkingDir("/tmp"), flink))
        .isInstanceOf(StartProblem.class)
        .hasMessage("The local node does not have: workingDir");
  }

  @Test
  void nothingToRunIsAProblemOfThePod() {
    var image = new Image.Program(List.of(), Map.of());

    assertThatThrownBy(() -> prepare(container().withCommand().withArgs(), image))
        .isInstanceOf(StartProblem.class)
        .hasMessageContaining("no command");
  }

  @Test
  void aMissingConfigMapLeavesTheContainerInCreation() {
    var pod = container().addNewVolumeMount().withName("conf").withMountPath("/c").endVolumeMount();
    sources.forget("conf");

    assertThatThrownBy(() -> prepare(pod, flink))
        .isInstanceOfSatisfying(
            StartProblem.class, e -> assertThat(e.reason()).isEqualTo("ContainerCreating"))
        .hasMessage("configmap \"conf\" not found");
  }
}
