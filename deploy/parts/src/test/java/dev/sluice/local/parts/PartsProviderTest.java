package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartsProviderTest {

  private static final Tool TOOL = Tool.ETCD;

  @TempDir Path folder;
  private String searchPath = "";

  @Test
  void fetchesWhatIsNotThere() {
    ResolvedTool etcd = making("3.6.4").resolve(TOOL);

    assertThat(etcd.origin()).isEqualTo("made");
    assertThat(etcd.version()).hasToString("3.6.4");
    assertThat(etcd.path()).isEqualTo(cache().binary(TOOL)).isExecutable();
  }

  @Test
  void fetchesNothingWhenTheCacheHasIt() {
    making("3.6.4").resolve(TOOL);

    assertThat(broken().resolve(TOOL).origin()).isEqualTo("made");
  }

  @Test
  void doesNotRunACachedBinaryToKnowItsVersion() throws IOException {
    Path ran = folder.resolve("ran");
    scripted("touch " + ran + "; echo 3.6.4").resolve(TOOL);
    Files.delete(ran);

    broken().resolve(TOOL);

    assertThat(ran).doesNotExist();
  }

  @Test
  void asksAChangedBinaryForItsVersionAgain() throws IOException {
    making("3.6.4").resolve(TOOL);
    Scripts.printing(cache().binary(TOOL), "etcd Version: 3.6.10, put here by hand");

    assertThat(broken().resolve(TOOL).version()).hasToString("3.6.10");
  }

  @Test
  void replacesACachedBinaryThatIsCutShort() throws IOException {
    making("3.6.4").resolve(TOOL);
    Files.writeString(cache().binary(TOOL), "#!/bin/s");

    making("3.6.4").resolve(TOOL);

    assertThat(runs()).hasContent("run\nrun");
  }

  @Test
  void removesWhatAnInterruptedRunLeft() throws IOException {
    Path leftover = cache().binary(TOOL).resolveSibling("etcd.partial.download");
    Files.createDirectories(leftover.getParent());
    Files.writeString(leftover, "half of it");

    making("3.6.4").resolve(TOOL);

    assertThat(leftover).doesNotExist();
  }

  @Test
  void saysWhyEachWayIsClosed() {
    assertThatThrownBy(() -> closed("dl.example is unreachable").resolve(TOOL))
        .isInstanceOf(PartsException.class)
        .hasMessageContaining("etcd 3.6.4 cannot be had")
        .hasMessageContaining("- not on PATH")
        .hasMessageContaining("- dl.example is unreachable");
  }

  @Test
  void refusesABinaryOfTheWrongVersion() {
    assertThatThrownBy(() -> making("3.5.0").resolve(TOOL))
        .hasMessageContaining("says its version is 3.5.0, expected 3.6.4");
    assertThat(cache().binary(TOOL)).doesNotExist();
  }

  @Test
  void explainsAFullDisk() {
    assertThatThrownBy(() -> provider("echo No space left on device; exit 2").resolve(TOOL))
        .hasMessageContaining("is full")
        .hasMessageContaining("SLUICE_CACHE");
  }

  @Test
  void makesItOnceWhenTwoWantItAtOnce() {
    PartsProvider provider = making("3.6.4");
    CompletableFuture<ResolvedTool> one =
        CompletableFuture.supplyAsync(() -> provider.resolve(TOOL));
    CompletableFuture<ResolvedTool> two =
        CompletableFuture.supplyAsync(() -> provider.resolve(TOOL));

    // whichever came second found it in the cache, or waited for the first
    assertThat(one.join().path()).isEqualTo(two.join().path());
    assertThat(runs()).hasContent("run");
  }

  @Test
  void linksToAFittingBinaryOnPath() throws IOException {
    Scripts.printing(folder.resolve("a/etcd"), "etcd Version: 3.4.23");
    Path fitting = Scripts.printing(folder.resolve("b/etcd"), "etcd Version: 3.6.7");
    searchPath = folder.resolve("a") + "::" + folder.resolve("b");

    ResolvedTool etcd = broken().resolve(TOOL);

    assertThat(etcd.path()).isSymbolicLink().hasSameBinaryContentAs(fitting);
    assertThat(etcd.origin()).isEqualTo("PATH, " + fitting);
  }

  @ParameterizedTest
  @CsvSource({"echo 3.4.23, is 3.4.23", "'echo 3.6.4; exit 1', is of unknown version"})
  void saysWhyABinaryOnPathDoesNotFit(String body, String reason) throws IOException {
    Path binary = Scripts.of(folder.resolve("a/etcd"), body);
    searchPath = folder.resolve("a").toString();

    assertThatThrownBy(() -> closed("no").resolve(TOOL))
        .hasMessageContaining("- " + binary + " " + reason);
  }

  private PartsProvider provider(String body) {
    try {
      Scripts.of(folder.resolve("tools/fetch.sh"), "echo run >>'" + runs() + "'\n" + body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new PartsProvider(
        cache(),
        searchPath,
        new FetchScript(folder.resolve("tools"), Map.of(), Progress.silent()),
        Progress.silent());
  }

  private CacheDirectory cache() {
    return new CacheDirectory(folder.resolve("cache"));
  }

  private PartsProvider making(String version) {
    return scripted("echo etcd Version: " + version);
  }

  private PartsProvider scripted(String body) {
    return provider("printf '#!/bin/sh\\n%s\\n' '" + body + "' >$3; chmod +x $3; echo origin made");
  }

  private PartsProvider closed(String reason) {
    return provider("echo 'reason " + reason + "'; exit 1");
  }

  private PartsProvider broken() {
    return provider("echo this must not be run; exit 2");
  }

  private Path runs() {
    return folder.resolve("runs");
  }
}
