package dev.sluice.local.node.container;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All images.
 *
 * @param programs a file {@code {"images": {"NAME": {"command": [...], "env": {...}}}}} of commands
 *     of this machine; read again at each pull, need not exist
 * @param others asked for what is not in the file
 * @param refused a file of images that cannot be had because a test says so, one in a line; need
 *     not exist
 */
public record Images(Path programs, List<ImageCatalogue> others, Path refused) {
  private static final Logger LOG = LoggerFactory.getLogger(Images.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private record Programs(Map<String, Image.Program> images) {}

  /**
   * Makes an image ready to run, which may take minutes.
   *
   * @throws ImagePullException when that is not possible, with what is known when it is not
   */
  public Image pull(String name) throws ImagePullException {
    List<String> known = new ArrayList<>();
    try {
      if (Files.exists(refused) && Files.readAllLines(refused).contains(name)) {
        throw new ImagePullException(name + " is listed in refused-images (test fault)", null);
      }
      Map<String, Image.Program> own = readPrograms();
      if (own.containsKey(name)) {
        return own.get(name);
      }
      known.addAll(own.keySet());
      for (ImageCatalogue catalogue : others) {
        Optional<Image> found = catalogue.pull(name);
        if (found.isPresent()) {
          return found.get();
        }
        known.addAll(catalogue.known());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Pulling image {} failed", name, e);
      throw new ImagePullException("Cannot make image " + name + " ready: " + e, e);
    }
    throw new ImagePullException(
        "The local node runs processes, not containers, and does not know the image %s. It knows: %s"
            .formatted(name, String.join(", ", known)),
        null);
  }

  private Map<String, Image.Program> readPrograms() throws IOException {
    if (!Files.exists(programs)) {
      return Map.of();
    }
    var read = JSON.readValue(programs.toFile(), Programs.class).images();
    return read == null ? Map.of() : new TreeMap<>(read);
  }
}
