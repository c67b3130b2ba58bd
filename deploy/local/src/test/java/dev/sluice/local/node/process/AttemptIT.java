package dev.sluice.local.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.process.Attempt.Ended;
import dev.sluice.local.node.process.Attempt.Running;
import dev.sluice.local.os.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("node")
class AttemptIT {
  @TempDir Path dir;
  private Path script;
  private Attempt attempt;

  @BeforeEach
  void layOut() throws IOException {
    script = dir.resolve("container.sh");
    Attempt.writeWrapper(script);
    Files.createDirectories(dir.resolve("events"));
    attempt = new Attempt(dir.resolve("main/0"), 0);
  }

  @AfterEach
  void endAll() throws Exception {
    attempt.kill();
    soon("end of the container").until(() -> attempt.process().isEmpty() || ended());
    // it writes to the folder of the test until then
    soon("end of the wrapper").until(() -> wrapper().filter(it -> it.isAlive()).isEmpty());
  }

  private void start(String script) throws Exception {
    Map<String, String> env = Map.of("PATH", System.getenv("PATH"), "WORD", "sesame");
    start(env, "/bin/sh", "-c", script);
  }

  private void start(Map<String, String> env, String... command) throws Exception {
    ProcessBuilder process = new ProcessBuilder(command).directory(dir.toFile());
    process.environment().clear();
    process.environment().putAll(env);
    attempt.start(process, script, dir.resolve("events/uid"));
  }

  private static ConditionFactory soon(String what) {
    return Awaitility.await(what);
  }

  private Optional<ProcessIdentity> wrapper() {
    return ProcessIdentity.read(attempt.dir().resolve("wrapper"));
  }

  private Attempt.State look() throws IOException {
    return attempt.look(Instant.now());
  }

  private boolean ended() throws IOException {
    return look() instanceof Ended;
  }

  private Ended awaitEnd() {
    return (Ended) soon("end").until(this::look, Ended.class::isInstance);
  }

  private void awaitRunning() {
    soon("start").until(() -> look() instanceof Running);
  }

  @Test
  void theExitCodeAndBothOutputsAreKept() throws Exception {
    start("echo out; echo err >&2; exit 5");

    assertThat(awaitEnd().exitCode()).isEqualTo(5);
    assertThat(attempt.log()).hasContent("out\nerr\n");
    soon("event")
        .untilAsserted(() -> assertThat(dir.resolve("events/uid")).content().contains("ended 5"));
  }

  @Test
  void theEnvironmentIsTheGivenOneOnly() throws Exception {
    start("echo $WORD; env | grep -c '^HOME=' ; true");

    awaitEnd();
    assertThat(attempt.log()).hasContent("sesame\n0\n");
  }

  @Test
  void theSameAttemptStartedTwiceIsOneProcess() throws Exception {
    start("echo $$; while [ ! -e go ]; do sleep 0.05; done");
    awaitRunning();

    runWrapper("/bin/sh", "-c", "echo another");
    Files.createFile(dir.resolve("go"));

    assertThat(awaitEnd().exitCode()).isZero();
    assertThat(Files.readAllLines(attempt.log())).hasSize(1);
  }

  @Test
  void aSignalToAllProcessesAtOnceDoesNotLoseTheExitCode() throws Exception {
    start("trap 'exit 9' TERM; touch up; while true; do sleep 0.05; done");
    soon("trap").until(() -> Files.exists(dir.resolve("up")));
    awaitRunning(); // a process whose id is not written yet cannot be terminated
    ProcessHandle.of(wrapper().orElseThrow().pid()).orElseThrow().destroy();
    attempt.terminate();

    assertThat(awaitEnd().exitCode()).isEqualTo(9);
  }

  @Test
  void aProcessIgnoresNoSignalItWasNotToldToIgnore() throws Exception {
    start("exec sleep 1000");
    awaitRunning();

    attempt.terminate();

    assertThat(awaitEnd().exitCode()).isEqualTo(143);
  }

  @Test
  void whatTheProcessLeftBehindEndsWithIt() throws Exception {
    start("sleep 1000 & echo $! > child");

    awaitEnd();
    long child = Long.parseLong(Files.readString(dir.resolve("child")).strip());
    soon("end of the child")
        .until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void whatTheProcessPutInASessionOfItsOwnEndsWithIt() throws Exception {
    start("setsid sh -c 'echo $$ > child; exec sleep 1000' & while [ ! -s child ]; do :; done");

    awaitEnd();

    assertThat(ProcessIdentity.of(Long.parseLong(Files.readString(dir.resolve("child")).strip())))
        .isEmpty();
  }

  @Test
  void theEnvironmentReachesTheProcessAsItIs() throws Exception {
    Map<String, String> env =
        Map.of(
            "PATH", "/nope", "a.b-c", "1", "attempt", "2", "event", "3", "pid", "4", "stat", "5");

    start(env, "/usr/bin/env");

    assertThat(awaitEnd().exitCode()).isZero();
    assertThat(Files.readAllLines(attempt.log()))
        .contains("PATH=/nope", "a.b-c=1", "attempt=2", "event=3", "pid=4", "stat=5")
        .contains("SLUICE_ATTEMPT=" + attempt.dir());
  }

  @Test
  void anAttemptThatWasGivenUpIsNotRunByAWrapperThatComesLate() throws Exception {
    Files.createDirectories(attempt.dir());
    assertThat(attempt.giveUp()).isTrue();

    runWrapper("touch", dir.resolve("ran").toString());

    assertThat(dir.resolve("ran")).doesNotExist();
  }

  /** Runs it as the start of this attempt does, until it has ended. */
  private void runWrapper(String... command) throws Exception {
    List<String> words = new ArrayList<>(List.of("/bin/bash", "-p", script.toString()));
    words.addAll(List.of(attempt.dir().toString(), dir.resolve("events/uid").toString()));
    words.addAll(List.of(command));
    assertThat(new ProcessBuilder(words).start().waitFor()).isZero();
  }

  @Test
  void aProcessWhoseWrapperWasKilledIsFoundToHaveEndedSomehow() throws Exception {
    start("exec sleep 1000");
    awaitRunning();
    ProcessHandle.of(wrapper().orElseThrow().pid()).orElseThrow().destroyForcibly();

    assertThat(look()).isInstanceOf(Running.class);
    attempt.kill();

    assertThat(awaitEnd().reason()).isEqualTo("ContainerStatusUnknown");
  }

  @Test
  void aProgramThatIsNotThereEndsWith127() throws Exception {
    start(Map.of("PATH", System.getenv("PATH")), "/no/such");

    assertThat(awaitEnd().exitCode()).isEqualTo(127);
  }
}
