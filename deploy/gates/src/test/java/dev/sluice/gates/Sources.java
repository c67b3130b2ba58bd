package dev.sluice.gates;

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

/** The source files of all modules. */
final class Sources {
  static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Set<String> NOT_SOURCE = Set.of("target", ".git");

  private Sources() {}

  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
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
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /** Test classes and what they share, with paths relative to the repository. */
  static List<JavaSource> ofTests() throws IOException {
    return files().stream()
        .filter(file -> file.toString().contains("/src/test/java/"))
        .map(file -> new JavaSource(REPOSITORY.relativize(file).toString(), read(file)))
        .toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
