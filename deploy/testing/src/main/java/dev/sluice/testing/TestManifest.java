package dev.sluice.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A manifest of {@code api/src/test/resources/manifests}. Comments at its top say what must come of
 * it: {@code # after: FILE} was deployed before it, {@code # api-server: TEXT} is what the API
 * server refuses it with, {@code # expect: PATH: MESSAGE} is one violation (or its beginning).
 *
 * @param file where it stands
 * @param text all of it
 */
public record TestManifest(Path file, String text) {

  /** Those of a folder, sorted by their names. */
  public static Stream<TestManifest> in(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(TestManifest::read).toList().stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** That one. */
  public static TestManifest read(Path file) {
    try {
      return new TestManifest(file, Files.readString(file));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** What validation must say, a violation each; empty where the schema refuses it. */
  public List<String> expected() {
    return headers("expect").toList();
  }

  /** What the API server must refuse it with; empty where it takes it. */
  public Optional<String> apiServer() {
    return headers("api-server").findFirst();
  }

  /** What was deployed before it; empty for nothing. */
  public Optional<TestManifest> after() {
    return headers("after").findFirst().map(name -> read(file.resolveSibling(name).normalize()));
  }

  private Stream<String> headers(String key) {
    String start = "# " + key + ": ";
    return text.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()));
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }
}
