package dev.sluice.local.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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
    await().until(() -> waiting.getCount() == 0);
    assertThat(second).isNotDone();

    first.close();

    second.join().close();
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
