package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathSourceTest {

  @TempDir Path folder;

  @Test
  void linksToAFittingBinary() throws IOException {
    Path binary = Scripts.printing(folder.resolve("a/etcd"), "etcd Version: 3.6.7");

    Source.Attempt attempt = provide(folder.resolve("a").toString());

    assertThat(attempt).isInstanceOf(Source.Attempt.Provided.class);
    assertThat(target()).isSymbolicLink().hasSameBinaryContentAs(binary);
  }

  @Test
  void saysWhyABinaryDoesNotFit() throws IOException {
    Path binary = Scripts.printing(folder.resolve("a/etcd"), "etcd Version: 3.4.23");

    Source.Attempt attempt = provide(folder.resolve("a").toString());

    assertThat(attempt).isEqualTo(new Source.Attempt.NotAvailable(binary + " is 3.4.23"));
    assertThat(target()).doesNotExist();
  }

  @Test
  void looksFurtherAfterOneThatDoesNotFit() throws IOException {
    Scripts.printing(folder.resolve("a/etcd"), "etcd Version: 3.4.23");
    Path fitting = Scripts.printing(folder.resolve("b/etcd"), "etcd Version: 3.6.4");

    provide(folder.resolve("a") + ":" + folder.resolve("b"));

    assertThat(target()).hasSameBinaryContentAs(fitting);
  }

  @Test
  void saysThatThereIsNone() throws IOException {
    assertThat(provide(folder + "::" + folder.resolve("nowhere")))
        .isEqualTo(new Source.Attempt.NotAvailable("not on PATH"));
  }

  @Test
  void doesNotTrustABinaryThatFails() throws IOException {
    Scripts.of(folder.resolve("a/etcd"), "echo 3.6.4; exit 1");

    assertThat(provide(folder.resolve("a").toString()))
        .isInstanceOf(Source.Attempt.NotAvailable.class);
  }

  private Source.Attempt provide(String searchPath) throws IOException {
    return new PathSource(searchPath).provide(Tool.ETCD, target(), Progress.silent());
  }

  private Path target() {
    return folder.resolve("target");
  }
}
