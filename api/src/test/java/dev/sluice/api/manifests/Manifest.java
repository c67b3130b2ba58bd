package dev.sluice.api.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.fuzz.CrdSchema;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A manifest of {@code src/test/resources/manifests}. Comments at its top say what must come of it:
 * {@code # after: FILE} was deployed before it, {@code # api-server: TEXT} is what the API server
 * refuses it with, {@code # expect: PATH: MESSAGE} is one violation (or its beginning).
 */
record Manifest(Path file, String text) {
  private static final Path FOLDER = Path.of("src/test/resources/manifests");

  static Stream<Manifest> valid() {
    return in("valid");
  }

  static Stream<Manifest> invalid() {
    return in("invalid");
  }

  private static Stream<Manifest> in(String folder) {
    try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
      return files.sorted().map(Manifest::read).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Manifest read(Path file) {
    try {
      return new Manifest(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FlinkDeployment resource() {
    return Serialization.unmarshal(text, FlinkDeployment.class);
  }

  JsonNode json() {
    return CrdSchema.yaml(file);
  }

  List<String> expected() {
    return headers("expect").toList();
  }

  Optional<String> apiServer() {
    return headers("api-server").findFirst();
  }

  Optional<Manifest> after() {
    return headers("after").findFirst().map(name -> read(file.resolveSibling(name).normalize()));
  }

  private Stream<String> headers(String key) {
    String start = "# " + key + ": ";
    return text.lines()
        .filter(line -> line.startsWith(start))
        .map(l -> l.substring(start.length()));
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }
}
