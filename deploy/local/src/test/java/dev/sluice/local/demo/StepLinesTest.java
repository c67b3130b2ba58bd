package dev.sluice.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StepLinesTest {

  private static final Instant T0 = Instant.parse("2026-01-01T10:00:00Z");

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void elsewhereThanOnATerminalOnlyEndedStepsAreShownOnePerLine() {
    StepLines lines = new StepLines(out, false);

    lines.show(List.of(step("stop", 1500L), step("delete", null)), "", T0);

    assertThat(text().lines()).singleElement().asString().matches("  ok     stop +1\\.5 s");
  }

  @Test
  void anEndedStepIsShownOnce() {
    StepLines lines = new StepLines(out, false);

    lines.show(List.of(step("stop", 1500L)), "", T0);
    lines.show(List.of(step("stop", 1500L), step("delete", 100L)), "", T0);

    assertThat(text().lines()).hasSize(2);
  }

  @Test
  void aStepThatFailedSaysSo() {
    StepSeen failed = new StepSeen("Stop", "stop", T0, T0.plusMillis(10), true);

    assertThat(StepLines.ended(failed, T0)).startsWith("  failed stop");
  }

  @Test
  void onATerminalTheStepInFlightMovesOnALineOfItsOwn() {
    StepLines lines = new StepLines(out, true);

    lines.show(List.of(step("stop", null)), "attempt 2", T0.plusSeconds(3));
    lines.show(List.of(step("stop", null)), "attempt 2", T0.plusSeconds(4));

    assertThat(text())
        .doesNotContain("\n")
        .containsSubsequence("\r\033[K", "stop (attempt 2)", "3.0 s", "\r\033[K", "4.0 s");
  }

  @Test
  void onATerminalTheMovingLineIsWipedAtTheEnd() {
    StepLines lines = new StepLines(out, true);
    lines.show(List.of(step("stop", null)), "", T0);

    lines.end();

    assertThat(text()).endsWith("\r\033[K");
  }

  @Test
  void aLongTextIsCutSoThatTheLineDoesNotWrap() {
    String line = StepLines.running(step("s".repeat(500), null), "", T0);

    assertThat(line).hasSizeLessThan(100).contains("...");
  }

  @Test
  void aStepThatEndedIsToldInFull() {
    String line = StepLines.ended(step("s".repeat(100), 1000L), T0);

    assertThat(line).contains("s".repeat(100)).endsWith("1.0 s");
  }

  private static StepSeen step(String summary, @Nullable Long tookMillis) {
    Instant ended = tookMillis == null ? null : T0.plusMillis(tookMillis);
    return new StepSeen(summary, summary, T0, ended, false);
  }

  private String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
