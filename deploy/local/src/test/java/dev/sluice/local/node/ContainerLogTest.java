package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.local.node.process.Attempt;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerLogTest {
  @Test
  void readsWhatTheApiServerAsks() {
    URI uri =
        URI.create(
            "/containerLogs/ns/pod/c?follow=true&previous=true&tailLines=7&timestamps=false");

    assertThat(ContainerLog.of(uri)).isEqualTo(new ContainerLog("ns", "pod", "c", true, true, 7));
  }

  @Test
  void withoutOptionsItIsTheWholeLogSoFar() {
    assertThat(ContainerLog.of(URI.create("/containerLogs/ns/pod/c")))
        .isEqualTo(new ContainerLog("ns", "pod", "c", false, false, -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/containerLogs/ns/pod",
        "/containerLogs/ns/pod/c?tailLines=many",
        "/containerLogs/ns/pod/c?sinceSeconds=60",
        "/containerLogs/ns/pod/c?timestamps=true"
      })
  void whatItCannotDoIsRefusedWithAReason(String uri) {
    assertThatThrownBy(() -> ContainerLog.of(URI.create(uri)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("null");
  }

  @ParameterizedTest
  @CsvSource({"-1, 'a|b|c|'", "2, 'b|c|'"})
  void isTheLastLinesThatAreAskedFor(long lines, String expected, @TempDir Path dir)
      throws IOException {
    Attempt attempt = new Attempt(dir, 0);
    Files.writeString(attempt.log(), "a\nb\nc\n");
    ContainerLog asked = new ContainerLog("ns", "pod", "c", false, false, lines);

    Process tail = new ProcessBuilder(asked.command(attempt)).start();

    assertThat(tail.inputReader().lines().map(line -> line + "|").collect(Collectors.joining()))
        .isEqualTo(expected);
  }
}
