package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What source files look like, in all modules. */
class SourceFilesTest {
  private static final int MOST_LINES = 600;

  @Test
  void aFileFitsOnAFewScreens() throws IOException {
    assertThat(Sources.files())
        // tests are split by idea, not by length
        .filteredOn(file -> !file.toString().contains("/src/test/"))
        .allSatisfy(file -> assertThat(lines(file)).isLessThanOrEqualTo(MOST_LINES));
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    Set<Path> packages = new TreeSet<>();
    Sources.files().stream()
        .filter(file -> file.toString().contains("/src/main/java/"))
        .forEach(file -> packages.add(file.getParent()));

    assertThat(packages)
        .allSatisfy(
            folder ->
                assertThat(folder.resolve("package-info.java")).content().contains("@NullMarked"));
  }

  private static long lines(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
