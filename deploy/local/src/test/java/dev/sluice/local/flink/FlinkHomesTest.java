package dev.sluice.local.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.ExecutableScript;
import dev.sluice.local.node.container.ImagePullException;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a {@code mvn} that copies some jars, and a line into {@code runs}. */
class FlinkHomesTest {

  private static final FlinkRelease RELEASE = new FlinkRelease("9.8.7", "9.8.0", "9.8.1");

  @TempDir Path folder;
  private Path cache;
  private Path runs;

  @BeforeEach
  void folders() {
    cache = folder.resolve("cache");
    runs = folder.resolve("runs");
  }

  @Test
  void aMissingHomeIsResolved() throws Exception {
    FlinkHome home = homes(copying()).get(RELEASE);

    assertThat(home.folder()).isEqualTo(cache.resolve("flink/9.8.7"));
    assertThat(home.localNodeClasses()).isRegularFile();
    assertThat(Files.readString(home.classpath()).split(":"))
        .containsExactly(
            home.lib().resolve("flink-core-9.8.1.jar").toString(),
            home.lib().resolve("flink-kubernetes-9.8.1.jar").toString(),
            home.lib().resolve("flink-rpc-akka-loader-9.8.7.jar").toString(),
            home.lib().resolve("flink-rpc-akka.jar").toString());
  }

  @Test
  void aHomeInTheCacheNeedsNoMaven() throws Exception {
    homes(copying()).get(RELEASE);

    FlinkHome home = homes("/nothing/here/mvn").get(RELEASE);

    assertThat(home.lib()).isDirectoryContaining("glob:**/flink-kubernetes-9.8.1.jar");
  }

  @Test
  void aHomeMadeFromAnotherRecipeIsMadeAgain() throws Exception {
    Path old = cache.resolve("flink/9.8.7");
    Files.createDirectories(old.resolve("lib"));
    Files.writeString(old.resolve("lib/old.jar"), "");
    Files.writeString(old.resolve("recipe"), "something else");

    FlinkHome home = homes(copying()).get(RELEASE);

    assertThat(home.lib()).isDirectoryNotContaining("glob:**/old.jar");
  }

  @ParameterizedTest
  @ValueSource(strings = {"home/pom.xml", "LocalNodeClasses.class", "SharedRpcSystemLoader.class"})
  void theRecipeChangesWithWhatAHomeIsMadeFrom(String ingredient) throws Exception {
    FlinkHome home = new FlinkHome(RELEASE, folder);
    Map<String, byte[]> ingredients = FlinkHomes.ingredients();
    String before = FlinkHomes.recipe(home, ingredients);

    assertThat(ingredients).containsKey(ingredient);
    ingredients.put(ingredient, new byte[] {1});

    assertThat(FlinkHomes.recipe(home, ingredients)).isNotEqualTo(before);
  }

  @Test
  void twoAtOnceResolveItOnce() throws Exception {
    String maven = copying();
    List<CompletableFuture<FlinkHome>> both =
        List.of(
            CompletableFuture.supplyAsync(() -> got(maven)),
            CompletableFuture.supplyAsync(() -> got(maven)));

    assertThat(both).allSatisfy(one -> assertThat(one.join().lib()).isNotEmptyDirectory());
    assertThat(Files.readAllLines(runs)).hasSize(1);
  }

  @Test
  void whatMavenSaidIsInTheErrorAndNothingIsLeft() throws Exception {
    String failing = maven("echo 'Could not find artifact flink-runtime'; exit 1");

    assertThatThrownBy(() -> homes(failing).get(RELEASE))
        .isInstanceOf(ImagePullException.class)
        .hasMessageContaining("Could not find artifact flink-runtime")
        .hasMessageContaining("Is a Maven repository reachable");
    try (var left = Files.list(cache.resolve("flink"))) {
      assertThat(left.filter(Files::isDirectory)).isEmpty();
    }
  }

  private FlinkHome got(String maven) {
    try {
      return homes(maven).get(RELEASE);
    } catch (ImagePullException e) {
      throw new IllegalStateException(e);
    }
  }

  private FlinkHomes homes(String maven) {
    return new FlinkHomes(new CacheDirectory(cache), maven, Progress.silent());
  }

  private String copying() throws IOException {
    return maven("cp '%s'/* \"$lib\"".formatted(FlinkJars.all(folder)));
  }

  private String maven(String body) throws IOException {
    Path script = folder.resolve("mvn");
    ExecutableScript.write(
        script,
        """
        #!/usr/bin/env bash
        for a in "$@"; do case $a in -Dhome.lib=*) lib=${a#*=} ;; esac; done
        echo "$*" >> '%s'
        %s
        """
            .formatted(runs, body));
    return script.toString();
  }
}
