package dev.sluice.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.local.jvm.ClassArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesFileTest {

  @TempDir Path root;

  @Test
  void tellWhatAnImageRuns() throws IOException {
    Files.createDirectories(root.resolve("worker/target"));
    Files.writeString(root.resolve("worker/target/sluice-worker-0.1.0-SNAPSHOT.jar"), "");
    ImagesFile images = ImagesFile.built(root);

    JsonNode json = new ObjectMapper().readTree(images.json(Path.of("/home/ann/cluster")));

    JsonNode command = json.at("/images/sluice~1worker:dev/command");
    assertThat(command).extracting(JsonNode::asText).contains(ClassArchive.java());
    assertThat(command.path(command.size() - 1).asText()).isEqualTo("dev.sluice.worker.WorkerMain");
    assertThat(command.path(command.size() - 2).asText())
        .startsWith("/home/ann/cluster/applications/worker-");
  }

  @Test
  void leaveOutWhatIsNotBuilt() {
    ImagesFile images = ImagesFile.built(root);

    assertThat(images.application("sluice/worker:dev")).isEmpty();
    assertThat(images.json(root)).doesNotContain("worker");
  }

  @Test
  void knowWhichImagesAreOurs() {
    assertThat(ImagesFile.isOurs("sluice/controller:dev")).isTrue();
    assertThat(ImagesFile.isOurs("flink:2.2")).isFalse();
  }
}
