package dev.sluice.local.node.image;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Images that are commands of this machine, from a file {@code {"images": {"NAME": {"command":
 * [...], "env": {...}}}}} that is read again at each pull.
 */
public final class ProcessImages implements ImageCatalogue {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final Path file;

  private record Catalogue(Map<String, ProcessImage> images) {}

  /**
   * @param file need not exist: then no image is known
   */
  public ProcessImages(Path file) {
    this.file = file;
  }

  @Override
  public Optional<Image> pull(String name) throws ImagePullException {
    try {
      return Optional.ofNullable(read().get(name));
    } catch (IOException e) {
      throw new ImagePullException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public List<String> known() {
    try {
      return List.copyOf(new TreeSet<>(read().keySet()));
    } catch (IOException e) {
      return List.of();
    }
  }

  private Map<String, ProcessImage> read() throws IOException {
    try {
      Catalogue catalogue = JSON.readValue(Files.readAllBytes(file), Catalogue.class);
      return catalogue.images() == null ? Map.of() : catalogue.images();
    } catch (NoSuchFileException e) {
      return Map.of();
    }
  }
}
