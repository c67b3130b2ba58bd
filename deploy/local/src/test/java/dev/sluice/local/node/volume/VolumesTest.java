package dev.sluice.local.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.container.FakeSources;
import dev.sluice.local.node.container.PathMap;
import dev.sluice.local.node.container.PodFields;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumesTest {
  @TempDir Path dir;
  private final FakeSources sources =
      new FakeSources()
          .configMap("conf", Map.of("a.yaml", "a", "b.yaml", "b"))
          .secret("key", "word", "sesame");

  private Content content(Volume volume) throws Exception {
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("p")
            .addToLabels("a", "b")
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .build();
    return new Volumes(new PodFields(pod, "127.0.1.9", Map.of()), sources, dir.resolve("volumes"))
        .content(volume);
  }

  private Path mounted(Volume volume, String subPath) throws Exception {
    new Mount("/at/this", subPath, content(volume))
        .place(dir.resolve("root"), new PathMap(Map.of(), dir));
    return dir.resolve("root/at/this");
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
  void theDownwardApiIsFiles() throws Exception {
    Path at =
        mounted(
            new VolumeBuilder()
                .withNewDownwardAPI()
                .addNewItem()
                .withPath("labels")
                .withNewFieldRef("v1", "metadata.labels")
                .endItem()
                .endDownwardAPI()
                .build(),
            "");

    assertThat(at.resolve("labels")).hasContent("a=\"b\"");
  }

  @Test
  void aProjectedTokenLiesInThePodsFolderAndIsRenewedInPlace() throws Exception {
    Volume volume =
        new VolumeBuilder()
            .withName("access")
            .withNewProjected()
            .addNewSource()
            .withNewServiceAccountToken(null, 3607L, "token")
            .endSource()
            .addNewSource()
            .withNewConfigMap()
            .withName("conf")
            .endConfigMap()
            .endSource()
            .endProjected()
            .build();
    Path at = mounted(volume, "");
    String first = Files.readString(at.resolve("token"));

    content(volume);

    assertThat(Volumes.expires(volume)).isTrue();
    assertThat(mode(at.resolve("token"))).isEqualTo("rw-------");
    assertThat(at.resolve("a.yaml")).hasContent("a");
    assertThat(first).isEqualTo("token-0");
    assertThat(at.resolve("token")).hasContent("token-1");
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

    assertThatThrownBy(() -> content(volume)).hasMessageContaining("is not a Directory");
  }

  @Test
  void aKindOfVolumeThatIsNotThereIsSaidToBeSo() {
    Volume volume =
        new VolumeBuilder().withName("claim").withNewPersistentVolumeClaim("c", false).build();

    assertThatThrownBy(() -> content(volume)).hasMessageContaining("claim");
  }
}
