package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VolumesTest {
  @TempDir Path dir;
  private final FakeSources sources =
      new FakeSources()
          .configMap("conf", Map.of("a.yaml", "a", "b.yaml", "b"))
          .secret("key", "word", "sesame");

  private Path mounted(Volume volume, String subPath) throws Exception {
    Path place = dir.resolve("root/at/this");
    new Volumes(sources, dir.resolve("volumes"))
        .place(volume, subPath, place, new PathMap(Map.of(), dir));
    return place;
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void eachKeyOfAConfigMapIsAFile() throws Exception {
    Path at =
        mounted(new VolumeBuilder().withNewConfigMap().withName("conf").endConfigMap().build(), "");

    assertThat(at.resolve("a.yaml")).hasContent("a");
    assertThat(at.resolve("b.yaml")).hasContent("b");
  }

  @Test
  void itemsPickKeysAndSayWhereTheyGoAndWhoMayReadThem() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withNewConfigMap()
                .withName("conf")
                .addNewItem("a.yaml", 0400, "deep/er.yaml")
                .endConfigMap()
                .build(),
            "");

    assertThat(at.resolve("deep/er.yaml")).hasContent("a");
    assertThat(mode(at.resolve("deep/er.yaml"))).isEqualTo("r--------");
    assertThat(at.resolve("b.yaml")).doesNotExist();
  }

  @Test
  void aSubPathMountsOneFile() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder().withNewConfigMap().withName("conf").endConfigMap().build(),
            "b.yaml");

    assertThat(at).isRegularFile().hasContent("b");
  }

  @Test
  void aSecretIsDecoded() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withNewSecret()
                .withSecretName("key")
                .withDefaultMode(0600)
                .endSecret()
                .build(),
            "");

    assertThat(at.resolve("word")).hasContent("sesame");
    assertThat(mode(at.resolve("word"))).isEqualTo("rw-------");
  }

  @Test
  void theTokenThatTheApiServerAddsIsLeftToTheKubeconfig() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withName("kube-api-access-7x2lq")
                .withNewProjected()
                .addNewSource()
                .withNewServiceAccountToken(null, 3607L, "token")
                .endSource()
                .addNewSource()
                .withNewConfigMap()
                .withName("kube-root-ca.crt")
                .endConfigMap()
                .endSource()
                .endProjected()
                .build(),
            "");

    assertThat(at).isEmptyDirectory();
  }

  @Test
  void aProjectedVolumeHoldsAllItsSourcesButTheToken() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withName("all")
                .withNewProjected()
                .withDefaultMode(0600)
                .addNewSource()
                .withNewServiceAccountToken(null, 3607L, "token")
                .endSource()
                .addNewSource()
                .withNewConfigMap()
                .withName("conf")
                .addNewItem("a.yaml", null, "a.yaml")
                .endConfigMap()
                .endSource()
                .addNewSource()
                .withNewSecret()
                .withName("key")
                .endSecret()
                .endSource()
                .endProjected()
                .build(),
            "");

    assertThat(at.toFile().list()).containsExactlyInAnyOrder("a.yaml", "word");
    assertThat(at.resolve("a.yaml")).hasContent("a");
    assertThat(at.resolve("word")).hasContent("sesame");
    assertThat(mode(at.resolve("word"))).isEqualTo("rw-------");
  }

  @Test
  void aSourceOfAProjectedVolumeThatIsNotThereIsSaidToBeSo() {
    Volume volume =
        new VolumeBuilder()
            .withName("labels")
            .withNewProjected()
            .addNewSource()
            .withNewDownwardAPI()
            .endDownwardAPI()
            .endSource()
            .endProjected()
            .build();

    assertThatThrownBy(() -> mounted(volume, "")).hasMessageContaining("labels");
  }

  @Test
  void anOptionalObjectThatIsMissingIsAnEmptyFolder() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withNewConfigMap()
                .withName("none")
                .withOptional(true)
                .endConfigMap()
                .build(),
            "");

    assertThat(at).isEmptyDirectory();
  }

  @Test
  void aHostPathThatIsNotOfItsTypeIsSaidToBeSo() {
    Volume volume =
        new VolumeBuilder().withNewHostPath(dir.resolve("none").toString(), "Directory").build();

    assertThatThrownBy(() -> mounted(volume, "")).hasMessageContaining("is not a Directory");
  }

  @Test
  void aHostPathIsMadeWhereItsTypeSaysSo() throws Exception {
    Path file = dir.resolve("file");

    mounted(new VolumeBuilder().withNewHostPath(file.toString(), "FileOrCreate").build(), "");
    Path folder = dir.resolve("folder");
    mounted(
        new VolumeBuilder().withNewHostPath(folder.toString(), "DirectoryOrCreate").build(), "");

    assertThat(file).isRegularFile();
    assertThat(folder).isDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"File", "Socket"})
  void aHostPathThatHasToBeThereIsNotMade(String type) {
    Volume volume =
        new VolumeBuilder().withNewHostPath(dir.resolve("none").toString(), type).build();

    assertThatThrownBy(() -> mounted(volume, "")).hasMessageContaining("is not a " + type);
    assertThat(dir.resolve("none")).doesNotExist();
  }

  @Test
  void aKindOfVolumeThatIsNotThereIsSaidToBeSo() {
    Volume volume =
        new VolumeBuilder().withName("claim").withNewPersistentVolumeClaim("c", false).build();

    assertThatThrownBy(() -> mounted(volume, "")).hasMessageContaining("claim");
  }
}
