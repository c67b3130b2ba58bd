package dev.sluice.local.node.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesTest {
  @TempDir Path dir;

  private Images images() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("images.json"),
            """
            {"images": {"sluice/controller:dev": {"command": ["java"], "env": {"A": "b"}}}}
            """);
    return new Images(file, List.of(), dir.resolve("refused-images"));
  }

  @Test
  void aKnownImageIsPulled() throws Exception {
    assertThat(images().pull("sluice/controller:dev"))
        .isEqualTo(new Image.Program(List.of("java"), Map.of("A", "b")));
  }

  @Test
  void anImageIsRefusedWhileTheFileOfRefusedImagesNamesIt() throws Exception {
    Path refused = Files.writeString(dir.resolve("refused-images"), "x\nsluice/controller:dev\n");
    assertThatThrownBy(() -> images().pull("sluice/controller:dev"))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("listed in refused-images");

    Files.delete(refused);

    assertThat(images().pull("sluice/controller:dev")).isNotNull();
  }
}
