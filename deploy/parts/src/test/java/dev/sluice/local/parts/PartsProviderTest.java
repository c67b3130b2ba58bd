package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Isolated("a program that another test starts while a script is written keeps it busy")
class PartsProviderTest {

  private static final Tool TOOL = Tool.ETCD;
  private static final String MADE = "3.6.4, built with Go 1.26.8";

  @TempDir Path folder;
  private Fetching fetching;

  @BeforeEach
  void fetching() throws IOException {
    fetching = new Fetching(folder);
  }

  @Test
  void fetchesWhatIsNotThere() throws IOException {
    fetching.making("echo etcd Version: 3.6.4");

    assertThat(origin()).isEqualTo(MADE);
    assertThat(fetching.provider().provide(TOOL))
        .isEqualTo(fetching.cache().binary(TOOL))
        .isExecutable();
  }

  @Test
  void fetchesNothingWhenTheCacheHasIt() throws IOException {
    make();
    breakGo();

    assertThat(origin()).isEqualTo(MADE);
  }

  @Test
  void replacesACachedBinaryThatIsCutShort() throws IOException {
    make();
    Files.writeString(fetching.cache().binary(TOOL), "#!/bin/s");

    make();

    assertThat(fetching.runs()).hasContent("run\nrun");
  }

  @Test
  void saysWhyEachWayIsClosed() {
    assertThatThrownBy(this::origin)
        .isInstanceOf(PartsException.class)
        .hasMessageContaining("etcd 3.6.4 cannot be had")
        .hasMessageContaining("- not on PATH")
        .hasMessageContaining("- github.com is unreachable");
  }

  @Test
  void refusesABinaryOfTheWrongVersion() throws IOException {
    fetching.making("echo 3.5.0");

    assertThatThrownBy(this::origin)
        .hasMessageContaining("says its version is 3.5.0, expected 3.6.4");
    assertThat(fetching.cache().binary(TOOL).getParent()).isEmptyDirectory();
  }

  @Test
  void makesItOnceWhenTwoWantItAtOnce() throws IOException {
    fetching.making("echo 3.6.4");

    CompletableFuture<String> one = CompletableFuture.supplyAsync(this::origin);
    CompletableFuture<String> two = CompletableFuture.supplyAsync(this::origin);

    // whichever came second found it in the cache, or waited for the first
    assertThat(one.join()).isEqualTo(two.join());
    assertThat(fetching.runs()).hasContent("run");
  }

  @Test
  void linksToAFittingBinaryOnPath() throws IOException {
    Fetching.script(folder.resolve("a/etcd"), "echo etcd Version: 3.4.23");
    Path fitting = Fetching.script(folder.resolve("b/etcd"), "echo etcd Version: 3.6.7");
    fetching.searchPath(folder.resolve("a") + "::" + folder.resolve("b"));

    assertThat(origin()).isEqualTo("3.6.7, PATH, " + fitting);
    assertThat(fetching.cache().binary(TOOL)).isSymbolicLink().hasSameBinaryContentAs(fitting);
  }

  @ParameterizedTest
  @CsvSource({
    "v1.34.2, true",
    "1.34.9, true",
    "1.34.1, false",
    "1.35.0, false",
    "2.34.2, false",
    "1.33.5, false",
    "1.34.3-rc.0, false",
    "1.34.2-dispatcher, false",
    "1.20, false"
  })
  void takesTheSameMinorThatIsNotOlderAndReleased(String version, boolean fits) throws IOException {
    Path binary = Fetching.script(folder.resolve("a/kubectl"), "echo 'kubectl " + version + "'");
    fetching.searchPath(folder.resolve("a").toString());
    PartsProvider parts = fetching.provider();

    if (fits) {
      assertThat(parts.provide(Tool.KUBECTL)).hasSameBinaryContentAs(binary);
    } else {
      assertThatThrownBy(() -> parts.provide(Tool.KUBECTL))
          .hasMessageContaining("- " + binary + " is ");
    }
  }

  @Test
  void keepsEtcdOfKubeApiTestOnTheLoopbackAddress() throws Exception {
    binariesOnPath();

    Process process =
        new ProcessBuilder(
                kubeApiTest().resolve("etcd").toString(),
                "--listen-client-urls",
                "http://0.0.0.0:2379",
                "--name=a b")
            .start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("3.6.4 --listen-client-urls http://127.0.0.1:2379 --name=a b\n");
  }

  private void binariesOnPath() throws IOException {
    Fetching.script(folder.resolve("a/kube-apiserver"), "echo 1.34.2");
    Fetching.script(folder.resolve("a/kubectl"), "echo 1.34.2");
    Fetching.script(folder.resolve("a/etcd"), "echo 3.6.4 \"$@\"");
    fetching.searchPath(folder.resolve("a").toString());
  }

  private Path kubeApiTest() {
    return fetching.provider().kubeApiTest().resolve("k8s/1.34.2-" + Fetching.platform());
  }

  private void make() throws IOException {
    fetching.making("echo etcd Version: 3.6.4");
    origin();
  }

  private void breakGo() throws IOException {
    fetching.go("go1.26.8", "echo this must not be run; exit 1");
  }

  private String origin() {
    return fetching.provider().provide(List.of(TOOL)).get(TOOL);
  }
}
