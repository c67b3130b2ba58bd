package dev.sluice.local.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void endsAStepWithItsResultAndTime() {
    try (Progress.Step step = progress(false).begin("building etcd")) {
      now = now.plusSeconds(750);
      step.done("built");
    }

    assertThat(said()).isEqualTo("...    building etcd\nok     building etcd: built  12:30\n");
  }

  @Test
  void saysThatAStepFailed() {
    progress(false).begin("building etcd").close();

    assertThat(said()).isEqualTo("...    building etcd\nfailed building etcd  0:00\n");
  }

  @Test
  void movesOnATerminal() {
    try (Progress.Step step = progress(true).begin("building etcd")) {
      step.detail("12 packages");
      assertThat(said()).endsWith("\r\033[K...    building etcd: 12 packages  0:00");
      step.done("built");
    }

    assertThat(said()).endsWith("\r\033[Kok     building etcd: built  0:00\n");
  }

  private Progress progress(boolean terminal) {
    return new Progress(new PrintStream(bytes, true, UTF_8), terminal, () -> now);
  }

  private String said() {
    return bytes.toString(UTF_8);
  }
}
