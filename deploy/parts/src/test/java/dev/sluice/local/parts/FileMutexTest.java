package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMutexTest {

  @TempDir Path folder;

  @Test
  void letsTheSecondWaitForTheFirst() throws IOException {
    CountDownLatch waiting = new CountDownLatch(1);
    FileMutex first = take(waiting::countDown);
    CompletableFuture<FileMutex> second =
        CompletableFuture.supplyAsync(() -> take(waiting::countDown));
    await().atMost(Duration.ofMinutes(2)).until(() -> waiting.getCount() == 0);
    assertThat(second).isNotDone();

    first.close();

    second.join().close();
  }

  @Test
  void waitsForAnotherProcessAndIsFreeWhenThatIsKilled() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process holder =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                folder.resolve("locks/a.lock").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = holder.inputReader()) {
      assertThat(said.readLine()).isEqualTo("taken true");
      CountDownLatch waiting = new CountDownLatch(1);
      CompletableFuture<FileMutex> second =
          CompletableFuture.supplyAsync(() -> take(waiting::countDown));
      waiting.await();
      assertThat(second).isNotDone();

      holder.destroyForcibly();

      second.join().close();
    } finally {
      holder.destroyForcibly();
    }
  }

  @Test
  void doesNotWaitWhenFree() throws IOException {
    take(() -> {}).close();

    take(() -> {
          throw new AssertionError("nobody holds it");
        })
        .close();
  }

  private FileMutex take(Runnable whenTaken) {
    try {
      return FileMutex.take(folder.resolve("locks/a.lock"), whenTaken);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
