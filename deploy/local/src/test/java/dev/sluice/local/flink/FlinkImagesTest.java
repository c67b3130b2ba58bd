package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.ExecutableScript;
import dev.sluice.local.node.container.FlinkImage;
import dev.sluice.local.node.container.ImageCatalogue;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkImagesTest {

  @TempDir Path folder;

  @Test
  void theNodeFindsTheCatalogue() {
    assertThat(ServiceLoader.load(ImageCatalogue.class))
        .hasAtLeastOneElementOfType(FlinkImages.class);
  }

  @Test
  void aFlinkImageHasAHomeTheSampleJobAndTheScripts() throws Exception {
    FlinkImage image = (FlinkImage) images(builtJob("one")).pull("flink:2.2").orElseThrow();

    assertThat(image.home()).endsWithRaw(Path.of("flink/2.2.1"));
    assertThat(image.usrlib()).singleElement().asString().endsWith("/counter-job.jar");
    assertThat(image.shims().resolve("docker-entrypoint.sh")).isExecutable();
    assertThat(image.env())
        .containsKeys("JAVA_HOME", "SLUICE_MEMORY_CACHE", "SLUICE_CLASS_ARCHIVE");
  }

  @Test
  void anotherBuildOfTheSampleJobLeavesTheOldOneInPlace() throws Exception {
    FlinkImage first = (FlinkImage) images(builtJob("one")).pull("flink:2.2").orElseThrow();

    FlinkImage second = (FlinkImage) images(builtJob("two")).pull("flink:2.2").orElseThrow();

    assertThat(first.usrlib().get(0)).hasContent("one");
    assertThat(second.usrlib().get(0)).hasContent("two");
  }

  @Test
  void anImageOfSomeoneElseIsNotOurs() throws Exception {
    assertThat(images(builtJob("one")).pull("nginx:1")).isEmpty();
  }

  @Test
  void aSampleJobThatIsNotBuiltIsAPullError() {
    assertThatThrownBy(() -> images(folder.resolve("missing.jar")).pull("flink:2.2"))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("flink:2.2: The sample job is not built")
        .hasMessageContaining("mvn package");
  }

  private Path builtJob(String content) throws IOException {
    return Files.writeString(folder.resolve("job.jar"), content);
  }

  private FlinkImages images(Path job) throws IOException {
    CacheDirectory cache = new CacheDirectory(folder.resolve("cache"));
    return new FlinkImages(
        cache, new FlinkHomes(cache, maven(), Progress.silent()), new ImageFiles(cache, job));
  }

  private String maven() throws IOException {
    Path script = folder.resolve("mvn");
    ExecutableScript.write(
        script,
        """
        #!/usr/bin/env bash
        for a in "$@"; do case $a in -Dhome.lib=*) cp '%s'/* "${a#*=}" ;; esac; done
        """
            .formatted(FlinkJars.all(folder)));
    return script.toString();
  }
}
