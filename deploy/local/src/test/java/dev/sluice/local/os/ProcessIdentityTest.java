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

  @Test
  void takesAZombieForDead() {
    String stat = "42 (a) Z 1 42 42 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 987654 1 1";

    assertThat(ProcessIdentity.startTicks(stat)).isEmpty();
  }
}
