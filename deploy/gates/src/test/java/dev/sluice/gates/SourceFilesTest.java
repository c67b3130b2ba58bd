package dev.sluice.gates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What source files look like, in all modules. */
class SourceFilesTest {
  private static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Set<String> NOT_SOURCE = Set.of("target", ".git");
  private static final int MOST_LINES = 400;

  @Test
  void theSourcesAreFound() throws IOException {
    assertThat(sources()).hasSizeGreaterThan(100);
  }

  @Test
  void aFileFitsOnAFewScreens() throws IOException {
    assertThat(sources())
        .allSatisfy(file -> assertThat(lines(file)).isLessThanOrEqualTo(MOST_LINES));
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    Set<Path> packages = new TreeSet<>();
    sources().stream()
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

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_SOURCE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }
}
