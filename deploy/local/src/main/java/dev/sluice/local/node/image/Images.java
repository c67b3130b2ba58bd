package dev.sluice.local.node.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes images ready, one at a time, and remembers for each pod how far its images are. */
public final class Images {
  private static final Logger LOG = LoggerFactory.getLogger(Images.class);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  private final List<ImageCatalogue> catalogues;
  private final Path refused;
  private final Executor puller;
  private final Clock clock;
  private final Map<Key, ImageState> states = new ConcurrentHashMap<>();

  private record Key(String podUid, String image) {}

  /**
   * @param catalogues asked in this order
   * @param refused a file of images that cannot be had because a test says so; need not exist
   * @param puller runs pulls, which may take minutes
   */
  public Images(List<ImageCatalogue> catalogues, Path refused, Executor puller, Clock clock) {
    this.catalogues = List.copyOf(catalogues);
    this.refused = refused;
    this.puller = puller;
    this.clock = clock;
  }

  /** How far the image is for that pod. */
  public ImageState state(String podUid, String image) {
    return states.getOrDefault(new Key(podUid, image), new ImageState.Unknown());
  }

  /**
   * Makes it ready for that pod; nothing when that is under way.
   *
   * @param done called when the state has changed
   */
  public void pull(String podUid, String image, Runnable done) {
    Key key = new Key(podUid, image);
    int failures = state(podUid, image) instanceof ImageState.Failed f ? f.failures() : 0;
    if (states.put(key, new ImageState.Pulling()) instanceof ImageState.Pulling) {
      return;
    }
    puller.execute(
        () -> {
          states.replace(key, pull(image, failures));
          done.run();
        });
  }

  /** Forgets a pod. */
  public void forget(String podUid) {
    states.keySet().removeIf(key -> key.podUid().equals(podUid));
  }

  private ImageState pull(String image, int failures) {
    try {
      if (Files.exists(refused) && Files.readAllLines(refused).contains(image)) {
        throw new ImagePullException("Image " + image + " is refused by a fault on purpose.", null);
      }
      for (ImageCatalogue catalogue : catalogues) {
        Optional<Image> found = catalogue.pull(image);
        if (found.isPresent()) {
          return new ImageState.Pulled(found.get());
        }
      }
      throw new ImagePullException(
          "The local node runs processes, not containers, and does not know the image "
              + image
              + ". It knows: "
              + String.join(", ", catalogues.stream().flatMap(c -> c.known().stream()).toList()),
          null);
    } catch (ImagePullException e) {
      return failed(String.valueOf(e.getMessage()), failures);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Pulling image {} failed", image, e);
      return failed("Cannot make image " + image + " ready: " + e, failures);
    }
  }

  private ImageState failed(String message, int failures) {
    Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(failures, 5));
    Duration bounded = wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait;
    return new ImageState.Failed(message, clock.instant().plus(bounded), failures + 1);
  }
}
