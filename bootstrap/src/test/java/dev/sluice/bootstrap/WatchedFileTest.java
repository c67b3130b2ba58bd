package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedFileTest {

  private static final String KEY = "SLUICE_DEFAULT_CONFIGURATION";

  @TempDir private Path folder;

  @Test
  void whatIsWrittenLaterIsReadAgainByItself() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "1");
    AtomicInteger changes = new AtomicInteger();
    try (WatchedFile<Integer> watched = open(file, Duration.ofMillis(20))) {
      watched.onChange(changes::incrementAndGet);
      assertThat(watched.get()).isEqualTo(1);

      Files.writeString(file, "2");

      await().atMost(Duration.ofMinutes(1)).until(() -> watched.get() == 2 && changes.get() == 1);
    }
  }

  @Test
  void aMountedConfigMapWhoseLinksAreReplacedIsReadAgain() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..1"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    Files.writeString(first.resolve("file"), "1");
    Files.writeString(second.resolve("file"), "2");
    Path data = Files.createSymbolicLink(folder.resolve("..data"), first);
    Path file = Files.createSymbolicLink(folder.resolve("file"), Path.of("..data", "file"));
    try (WatchedFile<Integer> watched = open(file, Duration.ofHours(1))) {

      Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), second);
      Files.move(link, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      watched.look();

      assertThat(watched.get()).isEqualTo(2);
    }
  }

  @Test
  void aBrokenOrLostFileKeepsTheLastGoodOneAndSaysSoUntilItIsRight() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "1");
    AtomicInteger changes = new AtomicInteger();
    try (WatchedFile<Integer> watched = open(file, Duration.ofHours(1))) {
      watched.onChange(changes::incrementAndGet);

      Files.writeString(file, "two");
      watched.look();
      assertThat(watched.get()).isEqualTo(1);
      assertThat(watched.problem()).hasValueSatisfying(why -> assertThat(why).contains("two"));

      Files.delete(file);
      watched.look();
      assertThat(watched.problem())
          .hasValueSatisfying(why -> assertThat(why).contains("cannot be read"));

      Files.writeString(file, "1");
      watched.look();
      assertThat(watched.problem()).isEmpty();
      assertThat(changes).hasValue(0);
    }
  }

  @Test
  void oneThatIsBrokenAtTheStartStopsTheProcess() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "one");

    assertThatThrownBy(() -> open(file, Duration.ofHours(1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(KEY + "=" + file);
    assertThatThrownBy(() -> open(folder.resolve("none"), Duration.ofHours(1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void withoutAFileThereIsWhatHoldsWithoutOne() {
    try (WatchedFile<Integer> watched = open(null, Duration.ofHours(1))) {
      watched.look();

      assertThat(watched.get()).isZero();
      assertThat(watched.problem()).isEmpty();
    }
  }

  private static WatchedFile<Integer> open(Path file, Duration interval) {
    return WatchedFile.open(KEY, file, 0, Integer::valueOf, interval);
  }
}
