package dev.sluice.activities.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSavepointDirectoryTest {

  private static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";

  @TempDir Path folder;

  private final SavepointDirectory directory = new LocalSavepointDirectory();

  @Test
  void theCompleteSavepointsNamedAfterTheJobAreCandidates() throws IOException {
    savepoint("savepoint-ab12cd-1", 100);
    savepoint("savepoint-ab12cd-2", 200);
    savepoint("savepoint-ffffff-3", 300);
    Files.createDirectory(folder.resolve("savepoint-ab12cd-4"));

    assertThat(directory.candidates("file://" + folder, JOB, 0))
        .contains(
            List.of(
                "file:" + folder.resolve("savepoint-ab12cd-1"),
                "file:" + folder.resolve("savepoint-ab12cd-2")));
  }

  @Test
  void whatWasCompleteBeforeTheStopBeganIsNoCandidate() throws IOException {
    savepoint("savepoint-ab12cd-1", 1_999);
    savepoint("savepoint-ab12cd-2", 2_000);

    assertThat(directory.candidates("file://" + folder, JOB, 2_000))
        .contains(List.of("file:" + folder.resolve("savepoint-ab12cd-2")));
  }

  @Test
  void aPathWithoutASchemeIsALocalOne() throws IOException {
    savepoint("savepoint-ab12cd-1", 100);

    assertThat(directory.candidates(folder.toString(), JOB, 0).orElseThrow()).hasSize(1);
  }

  @Test
  void aDirectoryWithoutSavepointsIsKnownToHaveNone() {
    assertThat(directory.candidates("file://" + folder, JOB, 0)).contains(List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket/savepoints", "file:/does/not/exist", "", "::not a path::"})
  void whatCannotBeReadFromHereIsNotCalledEmpty(String elsewhere) {
    assertThat(directory.candidates(elsewhere, JOB, 0)).isEmpty();
  }

  private void savepoint(String name, long written) throws IOException {
    Path metadata = Files.createDirectory(folder.resolve(name)).resolve("_metadata");
    Files.createFile(metadata);
    Files.setLastModifiedTime(metadata, FileTime.fromMillis(written));
  }
}
