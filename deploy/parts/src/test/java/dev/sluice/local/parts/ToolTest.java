package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ToolTest {

  private static final Path TOOLS = Path.of("..", "local", "tools");
  private static final Platform LINUX = new Platform("linux", "amd64");

  @ParameterizedTest
  @EnumSource(Tool.class)
  void isPinnedInItsGoModuleWithTheSameVersion(Tool tool) throws IOException {
    Path module = TOOLS.resolve(tool.module().folder());
    String pins = Files.readString(module.resolve("go.mod"));

    assertThat(pins).contains(tool.module().mainPackage());
    assertThat(pins.lines().map(String::strip).map(line -> line.replaceFirst("^require ", "")))
        .anyMatch(
            line ->
                tool.module().mainPackage().startsWith(line.split(" ", -1)[0])
                    && line.contains(" v" + tool.version()));
  }

  @ParameterizedTest
  @EnumSource(Tool.class)
  void hasChecksumsForItsGoModule(Tool tool) throws IOException {
    Path module = TOOLS.resolve(tool.module().folder());

    assertThat(Files.readString(module.resolve("go.sum"))).contains(" v" + tool.version() + " h1:");
  }

  @ParameterizedTest
  @EnumSource(Tool.class)
  void leavesNoPlaceholderInItsAddresses(Tool tool) {
    Release release = tool.release(LINUX);

    assertThat(release.url() + release.checksumUrl() + release.member())
        .doesNotContain("{")
        .contains(tool.version().toString());
    assertThat(tool.module().stampVersion()).doesNotContain("{");
  }

  @ParameterizedTest
  @CsvSource({
    "ETCD, etcd-v3.6.4-linux-amd64/etcd",
    "KUBECTL, ''",
    "TEMPORAL, temporal",
    "HELM, linux-amd64/helm"
  })
  void knowsWhereTheBinaryIsInTheArchive(Tool tool, String member) {
    assertThat(tool.release(LINUX).member()).isEqualTo(member);
  }

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-amd64",
    "Linux, aarch64, linux-arm64",
    "Mac OS X, x86_64, darwin-amd64",
    "FreeBSD, riscv64, freebsd-riscv64"
  })
  void namesPlatformsAsGoDoes(String os, String arch, String expected) {
    assertThat(Platform.of(os, arch)).hasToString(expected);
  }

  @Test
  void fetchesKubernetesFromItsOwnSite() {
    assertThat(Tool.KUBECTL.release(LINUX).url())
        .isEqualTo("https://dl.k8s.io/v1.34.2/bin/linux/amd64/kubectl");
  }
}
