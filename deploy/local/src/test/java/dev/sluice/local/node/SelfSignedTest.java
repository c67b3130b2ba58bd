package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfSignedTest {
  @TempDir Path dir;

  @Test
  void aStoreThatWasCutShortIsMadeAnewAndThenStays() throws Exception {
    Path store = Files.createFile(dir.resolve("certificate.p12"));

    assertThat(SelfSigned.context(store)).isNotNull();

    byte[] made = Files.readAllBytes(store);
    SelfSigned.context(store);
    assertThat(store).hasBinaryContent(made);
    assertThat(dir.toFile().list()).containsExactly("certificate.p12");
  }
}
