package dev.sluice.local.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.node.process.Attempt.Starting;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptTest {
  @TempDir Path dir;
  private Attempt attempt;

  @BeforeEach
  void begin() {
    attempt = new Attempt(dir, 0);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(dir.resolve(file), text);
  }

  /** This very process. */
  private static String alive() throws IOException {
    return startTicks() + " " + boot();
  }

  /** Another process of the same number. */
  private static String dead() throws IOException {
    return ProcessHandle.current().pid() + " 1 " + boot();
  }

  private static String startTicks() throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    return ProcessHandle.current().pid()
        + " "
        + stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
  }

  private static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  @Test
  void aLaunchThatLeftNoTraceYetIsStarting() throws IOException {
    assertThat(attempt.look(Instant.now())).isEqualTo(new Starting());
  }

  @Test
  void aLaunchThatLeftNoTraceForLongIsLost() throws IOException {
    Attempt.State state = attempt.look(Instant.now().plus(Duration.ofMinutes(1)));

    assertThat(state)
        .isInstanceOfSatisfying(
            Ended.class, ended -> assertThat(ended.reason()).isEqualTo("ContainerStatusUnknown"));
  }

  @Test
  void aLaunchThatIsGivenUpCannotBeMadeLate() throws IOException {
    attempt.look(Instant.now().plus(Duration.ofMinutes(1)));

    assertThat(attempt.giveUp()).isFalse();
  }

  @Test
  void aLaunchWhoseWrapperIsThereIsNotGivenUp() throws IOException {
    write("wrapper", alive());

    assertThat(attempt.giveUp()).isFalse();
    assertThat(attempt.look(Instant.now().plus(Duration.ofMinutes(1)))).isEqualTo(new Starting());
  }

  @Test
  void anEndThatNobodySawHasTheTimeAtWhichItWasFound() throws IOException {
    write("wrapper", dead());
    write("pid", dead());
    Attempt.State found = attempt.look(Instant.now());

    assertThat(attempt.look(Instant.now().plus(Duration.ofMinutes(1)))).isEqualTo(found);
  }

  @Test
  void aProcessThatIsThereRuns() throws IOException {
    write("pid", alive());

    assertThat(attempt.look(Instant.now())).isInstanceOf(Running.class);
  }

  @Test
  void anotherProcessOfTheSameNumberIsNotTheContainer() throws IOException {
    write("wrapper", dead());
    write("pid", dead());

    assertThat(attempt.look(Instant.now()))
        .isInstanceOfSatisfying(Ended.class, ended -> assertThat(ended.exitCode()).isEqualTo(137));
  }

  @Test
  void aProcessOfAnotherBootIsNotTheContainer() throws IOException {
    write("wrapper", startTicks() + " another-boot");
    write("pid", startTicks() + " another-boot");

    assertThat(attempt.look(Instant.now())).isInstanceOf(Ended.class);
  }

  @Test
  void aProcessOfAnotherBootIsNotSignalled() throws Exception {
    Process foreign = new ProcessBuilder("sleep", "600").start();
    try {
      long ticks = ProcessIdentity.of(foreign.pid()).orElseThrow().startTicks();
      write("pid", foreign.pid() + " " + ticks + " another-boot");

      attempt.terminate();
      attempt.kill();

      assertThat(foreign.isAlive()).isTrue();
    } finally {
      foreign.destroyForcibly();
    }
  }

  @Test
  void anEndedProcessIsWaitedForWhileItsWrapperIsThereToSayHow() throws IOException {
    write("wrapper", alive());
    write("pid", dead());

    assertThat(attempt.look(Instant.now())).isInstanceOf(Running.class);
  }

  @Test
  void theExitCodeIsWhatTheWrapperWrote() throws IOException {
    write("pid", dead());
    write("exit", "143\n");

    assertThat(attempt.look(Instant.now()))
        .isInstanceOfSatisfying(
            Ended.class,
            ended -> {
              assertThat(ended.exitCode()).isEqualTo(143);
              assertThat(ended.reason()).isEqualTo("Error");
            });
  }

  @Test
  void theAttemptsOfAContainerAreFoundInTheirOrder() throws IOException {
    Path container = dir.resolve("main");
    for (String name : new String[] {"9", "10", "root"}) {
      Files.createDirectories(container.resolve(name));
    }

    assertThat(Attempt.all(container)).extracting(Attempt::number).containsExactly(9, 10);
    assertThat(Attempt.newest(container)).contains(Attempt.of(container, 10));
    assertThat(Attempt.of(container, 10).before()).contains(Attempt.of(container, 9));
    assertThat(Attempt.of(container, 9).before()).isEmpty();
    assertThat(Attempt.newest(dir.resolve("none"))).isEmpty();
  }
}
