package dev.sluice.local.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdTest {
  private static final String STAT =
      "7 (a b) c) %s 1 7 7 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 %d 2650112 400 1 1 0";

  @Test
  void aProcessIsTheSameWhenItStartedAtTheSameTime() {
    ProcessId id = new ProcessId(7, 12345);

    assertThat(id.isAlive(STAT.formatted("S", 12345))).isTrue();
    assertThat(id.isAlive(STAT.formatted("S", 12346))).isFalse();
  }

  @Test
  void aZombieIsNotAlive() {
    assertThat(new ProcessId(7, 12345).isAlive(STAT.formatted("Z", 12345))).isFalse();
  }

  @Test
  void aHalfWrittenFileIsNoProcess(@TempDir Path dir) throws Exception {
    assertThat(ProcessId.read(dir.resolve("none"))).isEmpty();
    assertThat(ProcessId.read(Files.writeString(dir.resolve("a"), "12"))).isEmpty();
    assertThat(ProcessId.read(Files.writeString(dir.resolve("b"), "12 34\n")))
        .contains(new ProcessId(12, 34));
  }
}
