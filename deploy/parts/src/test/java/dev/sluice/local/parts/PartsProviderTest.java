package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartsProviderTest {

  private static final Tool TOOL = Tool.ETCD;

  @TempDir Path folder;
  private final AtomicInteger made = new AtomicInteger();

  @Test
  void asksTheSourcesInOrder() {
    ResolvedTool etcd = provider(closed("not on PATH"), making("3.6.4"), broken()).resolve(TOOL);

    assertThat(etcd.origin()).isEqualTo("made");
    assertThat(etcd.version()).hasToString("3.6.4");
    assertThat(etcd.path()).isEqualTo(cache().binary(TOOL)).isExecutable();
  }

  @Test
  void asksNoSourceWhenTheCacheHasIt() {
    provider(making("3.6.4")).resolve(TOOL);

    assertThat(provider(broken()).resolve(TOOL).origin()).isEqualTo("made");
  }

  @Test
  void doesNotRunACachedBinaryToKnowItsVersion() throws IOException {
    Path ran = folder.resolve("ran");
    provider(scripted("touch " + ran + "; echo 3.6.4")).resolve(TOOL);
    Files.delete(ran);

    provider(broken()).resolve(TOOL);

    assertThat(ran).doesNotExist();
  }

  @Test
  void asksAChangedBinaryForItsVersionAgain() throws IOException {
    provider(making("3.6.4")).resolve(TOOL);
    Scripts.printing(cache().binary(TOOL), "etcd Version: 3.6.10, put here by hand");

    assertThat(provider(broken()).resolve(TOOL).version()).hasToString("3.6.10");
  }

  @Test
  void replacesACachedBinaryThatIsCutShort() throws IOException {
    provider(making("3.6.4")).resolve(TOOL);
    Files.writeString(cache().binary(TOOL), "#!/bin/s");

    provider(making("3.6.4")).resolve(TOOL);

    assertThat(made).hasValue(2);
  }

  @Test
  void removesWhatAnInterruptedRunLeft() throws IOException {
    Path leftover = cache().binary(TOOL).resolveSibling("etcd.partial.download");
    Files.createDirectories(leftover.getParent());
    Files.writeString(leftover, "half of it");

    provider(making("3.6.4")).resolve(TOOL);

    assertThat(leftover).doesNotExist();
  }

  @Test
  void saysWhyEachSourceIsClosed() {
    PartsProvider provider = provider(closed("not on PATH"), closed("dl.example is unreachable"));

    assertThatThrownBy(() -> provider.resolve(TOOL))
        .isInstanceOf(PartsException.class)
        .hasMessageContaining("etcd 3.6.4 cannot be had")
        .hasMessageContaining("- not on PATH")
        .hasMessageContaining("- dl.example is unreachable");
  }

  @Test
  void refusesABinaryOfTheWrongVersion() {
    assertThatThrownBy(() -> provider(making("3.5.0")).resolve(TOOL))
        .hasMessageContaining("says its version is 3.5.0, expected 3.6.4");
    assertThat(cache().binary(TOOL)).doesNotExist();
  }

  @Test
  void explainsAFullDisk() {
    Source full =
        (tool, target, progress) -> {
          throw new IOException("write failed: No space left on device");
        };

    assertThatThrownBy(() -> provider(full).resolve(TOOL))
        .hasMessageContaining("is full")
        .hasMessageContaining("SLUICE_CACHE");
  }

  @Test
  void makesItOnceWhenTwoWantItAtOnce() {
    CompletableFuture<ResolvedTool> one =
        CompletableFuture.supplyAsync(() -> provider(making("3.6.4")).resolve(TOOL));
    CompletableFuture<ResolvedTool> two =
        CompletableFuture.supplyAsync(() -> provider(making("3.6.4")).resolve(TOOL));

    // whichever came second found it in the cache, or waited for the first
    assertThat(one.join().path()).isEqualTo(two.join().path());
    assertThat(made).hasValue(1);
  }

  private PartsProvider provider(Source... sources) {
    return new PartsProvider(cache(), List.of(sources), Progress.silent());
  }

  private CacheDirectory cache() {
    return new CacheDirectory(folder.resolve("cache"));
  }

  private Source making(String version) {
    return scripted("echo etcd Version: " + version);
  }

  private Source scripted(String body) {
    return (tool, target, progress) -> {
      made.incrementAndGet();
      Scripts.of(target, body);
      return new Source.Attempt.Provided("made");
    };
  }

  private static Source closed(String reason) {
    return (tool, target, progress) -> new Source.Attempt.NotAvailable(reason);
  }

  private static Source broken() {
    return (tool, target, progress) -> {
      throw new AssertionError("this source must not be asked");
    };
  }
}
