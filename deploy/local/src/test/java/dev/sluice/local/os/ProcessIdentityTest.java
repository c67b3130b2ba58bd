package dev.sluice.local.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessIdentityTest {

  private Process sleeper;

  @BeforeEach
  void start() throws IOException {
    sleeper = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void end() {
    sleeper.destroyForcibly();
  }

  @Test
  void knowsALivingProcess() {
    assertThat(ProcessIdentity.of(sleeper.pid())).get().matches(ProcessIdentity::isAlive);
  }

  @Test
  void killsIt() {
    ProcessIdentity id = ProcessIdentity.of(sleeper.pid()).orElseThrow();

    id.kill();

    await().untilAsserted(() -> assertThat(id.isAlive()).isFalse());
  }

  @Test
  void takesAnotherProcessWithTheSamePidForDead() {
    ProcessIdentity id = ProcessIdentity.of(sleeper.pid()).orElseThrow();
    ProcessIdentity before = new ProcessIdentity(id.pid(), id.startTicks() - 1, id.bootId());

    before.kill();

    assertThat(before.isAlive()).isFalse();
    assertThat(sleeper.isAlive()).isTrue();
  }

  @Test
  void takesAProcessOfAnotherBootForDead() {
    ProcessIdentity id = ProcessIdentity.of(sleeper.pid()).orElseThrow();

    assertThat(new ProcessIdentity(id.pid(), id.startTicks(), "another").isAlive()).isFalse();
  }

  @Test
  void isReadFromAFileThatIsWhole(@TempDir Path dir) throws IOException {
    assertThat(ProcessIdentity.read(dir.resolve("none"))).isEmpty();
    assertThat(ProcessIdentity.read(Files.writeString(dir.resolve("a"), "12 34"))).isEmpty();
    assertThat(ProcessIdentity.read(Files.writeString(dir.resolve("b"), "12 34 abc\n")))
        .hasValue(new ProcessIdentity(12, 34, "abc"));
  }

  @Test
  void readsTheStartTimeBehindANameWithBrackets() {
    String stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 1 1";

    assertThat(ProcessIdentity.startTicks(stat)).hasValue(987_654L);
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 94, 7000, 7200, 200, true",
    "4096, 94, 7000, 7200, 0, false", // it became another program since
    "4096, 94, 7000, 7000, 0, true", // it was started without any
    "4096, 0, 0, 0, 0, false", // it becomes another program
    "4096, 0, 7000, 7000, 0, false", // the same, a moment later
    "4096, 1, 0, 0, 0, true", // it belongs to another user
    "0, 0, 0, 0, 0, true", // it is a thread of the kernel, or a zombie
  })
  void tellsFromItsMemoryHowLongTheEnvironmentOfAProcessIs(
      long memory, long code, long start, long end, int bytes, boolean whole) {
    String stat =
        "42 (a) S 1 42 42 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 %d 1 9 %d 95 9 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 1 2 3 4 5 %d %d 0"
            .formatted(memory, code, start, end);

    assertThat(ProcessIdentity.isWholeEnvironment(stat, bytes)).isEqualTo(whole);
  }

  @Test
  void takesAZombieForDead() {
    String stat = "42 (a) Z 1 42 42 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 1 1";

    assertThat(ProcessIdentity.startTicks(stat)).isEmpty();
  }
}
