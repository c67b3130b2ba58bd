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
 * @param flink asked for what is not in the file
 * @param known the names that it knows, for the message of ErrImagePull
 */
public record Images(Path programs, Catalogue flink, List<String> known) {

  /** Knows what some image names mean. */
  public interface Catalogue {

    /**
     * Makes the image ready to run; may take minutes and is called on a thread of its own, one
     * image at a time. Called again for each new pod, so a second call must be quick.
     *
     * @return empty when the name is not one of this catalogue's
     */
    Optional<Image> pull(String name) throws ImagePullException;
  }

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
    List<String> all = new ArrayList<>(known);
    try {
      Map<String, Image.Program> own = readPrograms();
      if (own.containsKey(name)) {
        return own.get(name);
      }
      all.addAll(own.keySet());
      Optional<Image> found = flink.pull(name);
      if (found.isPresent()) {
        return found.get();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Pulling image {} failed", name, e);
      throw new ImagePullException("Cannot make image " + name + " ready: " + e, e);
    }
    throw new ImagePullException(
        "The local node runs processes, not containers, and does not know the image %s. It knows: %s"
            .formatted(name, String.join(", ", all)),
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
