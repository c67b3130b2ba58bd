package dev.sluice.local.node.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.process.Attempt;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
  @TempDir Path dir;
  private StateFolder state;

  @BeforeEach
  void make() throws IOException {
    state = new StateFolder(dir);
    state.create();
  }

  @Test
  void aPodIsRememberedUntilItHasEnded() throws IOException {
    PodRecord pod = pod(1);
    state.write(pod);
    assertThat(state.records()).extracting(PodRecord::uid).containsExactly(pod.uid());

    state.archive(pod);

    assertThat(state.records()).isEmpty();
    assertThat(state.folder(pod)).doesNotExist();
  }

  @Test
  void aLaterPodOfTheSameNameHasAFolderOfItsOwn() {
    assertThat(state.folder(pod(1))).isNotEqualTo(state.folder(pod(2)));
  }

  @Test
  void theLogsOfTheNewestFiftyEndedPodsAreKept() throws IOException {
    for (int n = 1; n <= 53; n++) {
      end(pod(n), n);
    }

    end(pod(54), 54);

    for (int n = 1; n <= 4; n++) {
      assertThat(ended(pod(n))).doesNotExist();
    }
    for (int n = 5; n <= 54; n++) {
      assertThat(ended(pod(n)).resolve("main-0.log")).hasContent("log " + n);
    }
  }

  /** Against the order of their names, as the first of them is the oldest. */
  private static PodRecord pod(int number) {
    Pod pod =
        new PodBuilder(Views.pod("Always"))
            .editMetadata()
            .withUid("%08d-uid".formatted(99 - number))
            .endMetadata()
            .build();
    return new PodRecord(pod, "127.0.1.2", number);
  }

  private void end(PodRecord pod, int second) throws IOException {
    state.write(pod);
    Attempt attempt = Attempt.of(state.folder(pod).resolve("main"), 0);
    Files.createDirectories(attempt.dir());
    Files.writeString(attempt.log(), "log " + second);
    state.archive(pod);
    Files.setLastModifiedTime(ended(pod), FileTime.from(Instant.ofEpochSecond(second)));
  }

  private Path ended(PodRecord pod) {
    return dir.resolve("ended").resolve(state.folder(pod).getFileName().toString());
  }
}
