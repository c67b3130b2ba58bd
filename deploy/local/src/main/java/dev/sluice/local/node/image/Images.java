package dev.sluice.local.node.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All images.
 *
 * @param catalogues asked in this order
 * @param refused a file of images that cannot be had because a test says so; need not exist
 */
public record Images(List<ImageCatalogue> catalogues, Path refused) {
  private static final Logger LOG = LoggerFactory.getLogger(Images.class);

  /**
   * Makes an image ready to run, which may take minutes.
   *
   * @throws ImagePullException when that is not possible, with what is known when it is not
   */
  public Image pull(String name) throws ImagePullException {
    try {
      if (Files.exists(refused) && Files.readAllLines(refused).contains(name)) {
        throw new ImagePullException("Image " + name + " is refused by a fault on purpose.", null);
      }
      for (ImageCatalogue catalogue : catalogues) {
        Optional<Image> found = catalogue.pull(name);
        if (found.isPresent()) {
          return found.get();
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Pulling image {} failed", name, e);
      throw new ImagePullException("Cannot make image " + name + " ready: " + e, e);
    }
    throw new ImagePullException(
        "The local node runs processes, not containers, and does not know the image "
            + name
            + ". It knows: "
            + String.join(", ", catalogues.stream().flatMap(c -> c.known().stream()).toList()),
        null);
  }
}
