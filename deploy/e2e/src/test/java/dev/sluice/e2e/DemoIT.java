package dev.sluice.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.e2e.cluster.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the README begins with, on a cluster of its own, from nothing to nothing. */
@Tag("docs")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DemoIT {

  private static final Path HOME = Path.of("target", "demo-cluster").toAbsolutePath();
  private static final String EXACT = "elements counted over 10 keys, lost=0 doubled=0";

  private final Launcher sluice = Launcher.alone(HOME);
  private final Thread atExit = new Thread(() -> sluice.run("./sluice down"));

  @BeforeEach
  void beginWithNothing() {
    succeeds("./sluice reset");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  @AfterEach
  void leaveNothing() {
    sluice.run("./sluice reset");
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  @Test
  void theDemoUpgradesAJobWithItsStateAndTheClusterGoesAwayWhenAsked() throws IOException {
    String told = succeeds("./sluice demo");

    assertThat(told.lines())
        .as("a terminal's moves have no place in a file")
        .noneMatch(line -> line.contains("\033"));
    assertThat(told.lines().filter(line -> line.startsWith("before ") || line.startsWith("after ")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).endsWith(EXACT));
    assertThat(told).contains("went on at", "from savepoint", "/namespaces/default/workflows/");

    assertThat(nextThingsToTry(told)).hasSizeGreaterThanOrEqualTo(5).allSatisfy(this::succeeds);

    assertThat(processes()).isNotEmpty();
    succeeds("./sluice down");
    assertThat(processes()).isEmpty();
    assertThat(HOME).isNotEmptyDirectory();

    succeeds("./sluice reset");
    assertThat(HOME).doesNotExist();
  }

  private String succeeds(String command) {
    Launcher.Outcome outcome = sluice.run(command);
    assertThat(outcome.exitCode()).as(command + ": " + outcome).isZero();
    return outcome.out();
  }

  /** The commands that it ends with. */
  private static List<String> nextThingsToTry(String told) {
    return told.substring(told.indexOf("things to try"))
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("./sluice ") && !line.startsWith("./sluice down"))
        .toList();
  }

  /** Whatever carries the mark of this cluster. */
  private static List<Long> processes() throws IOException {
    String mark = "SLUICE_CLUSTER=" + HOME;
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.map(ProcessHandle::pid).filter(pid -> environment(pid).contains(mark)).toList();
    }
  }

  private static List<String> environment(long pid) {
    try {
      return List.of(Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0"));
    } catch (IOException gone) {
      return List.of();
    }
  }
}
