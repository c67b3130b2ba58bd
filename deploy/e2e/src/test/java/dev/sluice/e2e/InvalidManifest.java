package dev.sluice.e2e;

import dev.sluice.e2e.job.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A manifest that must be refused; its first lines say how.
 *
 * @param name of the file, without {@code .yaml}
 * @param apiServer what the API server answers; empty when it takes it
 * @param expected what the condition says, one text for each mistake
 * @param manifest the manifest
 */
record InvalidManifest(String name, String apiServer, List<String> expected, Manifest manifest) {

  /** All of them. */
  static List<InvalidManifest> all(Path repository) throws IOException {
    Path folder = repository.resolve("api/src/test/resources/manifests/invalid");
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().map(InvalidManifest::read).toList();
    }
  }

  private static InvalidManifest read(Path file) {
    try {
      String text = Files.readString(file);
      return new InvalidManifest(
          file.getFileName().toString().replace(".yaml", ""),
          String.join("", lines(text, "# api-server: ")),
          lines(text, "# expect: "),
          Manifest.of(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(String text, String prefix) {
    return text.lines()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()).strip())
        .toList();
  }
}
