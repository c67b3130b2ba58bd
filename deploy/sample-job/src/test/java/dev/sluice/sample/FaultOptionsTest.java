package dev.sluice.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultOptionsTest {

  @TempDir Path folder;
  private final CompletableFuture<String> snapshot = new CompletableFuture<>();
  private Thread task = new Thread(() -> {});

  @AfterEach
  void endTheTask() throws InterruptedException {
    task.interrupt();
    task.join();
  }

  @Test
  void toldNothingItDoesNothing() {
    assertThatCode(
            () -> {
              FaultOptions.NONE.inMain();
              FaultOptions.NONE.inOpen();
              FaultOptions.NONE.atRecord(1_000_000);
              FaultOptions.NONE.inSnapshot();
            })
        .doesNotThrowAnyException();
  }

  @Test
  void failsInMainOnlyWhenToldSo() {
    FaultOptions faults = faults("--fail-at-start", "main");

    assertThatThrownBy(faults::inMain).hasMessageContaining("in main");
    assertThatCode(faults::inOpen).doesNotThrowAnyException();
  }

  @Test
  void failsInOpenOnlyWhenToldSo() {
    FaultOptions faults = faults("--fail-at-start", "open");

    assertThatThrownBy(faults::inOpen).hasMessageContaining("in open");
    assertThatCode(faults::inMain).doesNotThrowAnyException();
  }

  @Test
  void failsAfterTheGivenNumberOfRecords() {
    FaultOptions faults = faults("--fail-after", "3");

    assertThatCode(() -> faults.atRecord(2)).doesNotThrowAnyException();
    assertThatThrownBy(() -> faults.atRecord(3)).hasMessageContaining("after 3 records");
  }

  @Test
  void failsWhileTheFileExists() throws Exception {
    Path file = folder.resolve("fail");
    FaultOptions faults = faults("--fail-while-file", file.toString());

    assertThatCode(() -> faults.atRecord(1)).doesNotThrowAnyException();
    Files.createFile(file);
    assertThatThrownBy(() -> faults.atRecord(1)).hasMessageContaining(file.toString());
  }

  @Test
  void aSnapshotThatNeverEndsEndsWithItsTask() {
    startSnapshot(faults("--slow-snapshot", "-1"));
    await().until(() -> task.getState() == Thread.State.TIMED_WAITING);

    task.interrupt();

    assertThat(snapshot).succeedsWithin(Duration.ofMinutes(2)).isEqualTo("interrupted");
  }

  @Test
  void aSnapshotIsHeldUntilItsFileIsGone() throws Exception {
    Path file = Files.createFile(folder.resolve("hold"));
    startSnapshot(faults("--slow-snapshot", "-1", "--slow-snapshot-while-file", file.toString()));
    await().until(() -> task.getState() == Thread.State.TIMED_WAITING);

    Files.delete(file);

    assertThat(snapshot).succeedsWithin(Duration.ofMinutes(2)).isEqualTo("done");
  }

  @Test
  void aSlowSnapshotEnds() {
    startSnapshot(faults("--slow-snapshot", "60"));

    assertThat(snapshot).succeedsWithin(Duration.ofMinutes(2)).isEqualTo("done");
  }

  private void startSnapshot(FaultOptions faults) {
    task =
        new Thread(
            () -> {
              try {
                faults.inSnapshot();
                snapshot.complete("done");
              } catch (InterruptedException e) {
                snapshot.complete("interrupted");
              }
            });
    task.start();
  }

  private static FaultOptions faults(String... args) {
    return CounterOptions.parse(args).faults();
  }
}
