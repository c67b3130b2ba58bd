package dev.sluice.local.node.logs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
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
    Path file = Files.writeString(dir.resolve("log"), text);
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "r")) {
      return text.substring((int) ContainerLog.start(access, lines));
    }
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
