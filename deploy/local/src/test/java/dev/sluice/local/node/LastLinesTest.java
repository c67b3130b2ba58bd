package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LastLinesTest {
  @TempDir Path dir;

  private String tail(String text, long lines) throws IOException {
    Attempt attempt = new Attempt(dir, 0);
    java.nio.file.Files.writeString(attempt.log(), text);
    ContainerLog whole = new ContainerLog("ns", "pod", "c", false, false, lines);
    Process process = new ProcessBuilder(whole.command(attempt)).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 'a|b|c|'",
    "0, ''",
    "1, 'c|'",
    "2, 'b|c|'",
    "3, 'a|b|c|'",
    "9, 'a|b|c|'",
  })
  void findsTheLastLines(long lines, String expected) throws IOException {
    assertThat(tail("a\nb\nc\n", lines)).isEqualTo(expected.replace('|', '\n'));
  }

  @Test
  void aLastLineWithoutLineBreakIsALine() throws IOException {
    assertThat(tail("a\nb", 1)).isEqualTo("b");
  }

  @Test
  void anEmptyLogHasNoLines() throws IOException {
    assertThat(tail("", 5)).isEmpty();
  }

  @Test
  void linesThatLieAcrossBlocksAreFoundToo() throws IOException {
    String text =
        IntStream.range(0, 5000).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());

    String tail = tail(text, 2000);

    assertThat(tail).startsWith("line 3000\n").endsWith("line 4999\n");
  }
}
