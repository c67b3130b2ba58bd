package dev.sluice.activities.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.activities.artifact.ArtifactOptions.Limits;
import dev.sluice.activities.artifact.ArtifactOptions.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars that the worker has itself. */
class WorkerFileTest {

  @TempDir Path folder;
  private Path allowed;

  @BeforeEach
  void allowedFolder() throws IOException {
    allowed = Files.createDirectory(folder.resolve("jars"));
  }

  /** What came of it, or how it failed. */
  private Object fetch(List<Path> folders, Path file) throws IOException {
    Sources sources = new Sources(false, new AddressRules(List.of()), folders, null);
    Limits limits = new Limits(1 << 20, Duration.ofSeconds(20), 3, 2);
    try (ArtifactFetcher fetcher =
        new ArtifactFetcher(new ArtifactOptions(limits, sources, folder.resolve("tmp")))) {
      FetchedArtifact[] got = new FetchedArtifact[1];
      Throwable thrown =
          catchThrowable(
              () -> got[0] = fetcher.fetch(ArtifactUri.parse("file://" + file), Map.of()));
      return thrown == null ? Files.size(got[0].file()) : thrown;
    }
  }

  private void assertNotAllowed(Object outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ArtifactException.class,
            failure ->
                assertThat(failure)
                    .hasMessageContaining("is outside the folders in SLUICE_ARTIFACT_FOLDERS"));
  }

  @Test
  void aFileOfAnAllowedFolderIsCopied() throws IOException {
    Path file = Files.write(allowed.resolve("job.jar"), JarServer.JAR);

    assertThat(fetch(List.of(allowed), file)).isEqualTo((long) JarServer.JAR.length);
  }

  @Test
  void aFileOutsideIsRefusedWhetherItExistsOrNot() throws IOException {
    Path outside = Files.write(folder.resolve("other.jar"), JarServer.JAR);

    assertNotAllowed(fetch(List.of(allowed), outside));
    assertNotAllowed(fetch(List.of(allowed), folder.resolve("none.jar")));
  }

  @Test
  void aLinkOutOfTheFolderIsRefused() throws IOException {
    Path outside = Files.write(folder.resolve("other.jar"), JarServer.JAR);
    Path link = Files.createSymbolicLink(allowed.resolve("job.jar"), outside);

    assertNotAllowed(fetch(List.of(allowed), link));
  }

  @Test
  void aFileThatIsNotThereYetMayCome() throws IOException {
    assertThat(fetch(List.of(allowed), allowed.resolve("none.jar")))
        .isInstanceOfSatisfying(
            ArtifactException.class,
            failure -> {
              assertThat(failure.mayPass()).isTrue();
              assertThat(failure).hasMessageContaining("NoSuchFileException");
            });
  }
}
