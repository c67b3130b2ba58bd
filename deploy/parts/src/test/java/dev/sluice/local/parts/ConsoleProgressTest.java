package dev.sluice.local.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleProgressTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Instant now = Instant.EPOCH;

  @Test
  void endsAStepWithItsResultAndTime() {
    try (Progress.Step step = progress(false).begin("building helm")) {
      now = now.plusSeconds(75);
      step.done("built");
    }

    assertThat(said()).isEqualTo("...    building helm\nok     building helm: built  1:15\n");
  }

  @Test
  void saysThatAStepFailed() {
    progress(false).begin("building helm").close();

    assertThat(said()).isEqualTo("...    building helm\nfailed building helm  0:00\n");
  }

  @Test
  void movesOnATerminal() {
    try (Progress.Step step = progress(true).begin("building helm")) {
      step.detail("12 packages");
      assertThat(said()).endsWith("\r\033[K...    building helm: 12 packages  0:00");
      step.done("built");
    }

    assertThat(said()).endsWith("\r\033[Kok     building helm: built  0:00\n");
  }

  @ParameterizedTest
  @CsvSource({"7, 0:07", "750, 12:30", "3723, 1:02:03"})
  void writesTimesAsPeopleDo(long seconds, String expected) {
    assertThat(ConsoleProgress.elapsed(Duration.ofSeconds(seconds))).isEqualTo(expected);
  }

  private ConsoleProgress progress(boolean terminal) {
    return new ConsoleProgress(new PrintStream(bytes, true, UTF_8), terminal, () -> now);
  }

  private String said() {
    return bytes.toString(UTF_8);
  }
}
