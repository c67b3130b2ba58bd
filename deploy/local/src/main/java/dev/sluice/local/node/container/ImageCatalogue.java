package dev.sluice.local.node.container;

import java.util.List;
import java.util.Optional;

/**
 * Knows what some image names mean. Found with {@link java.util.ServiceLoader}, so implementations
 * have a public constructor without arguments and are named in {@code
 * META-INF/services/dev.sluice.local.node.container.ImageCatalogue}.
 */
public interface ImageCatalogue {

  /**
   * Makes the image ready to run; may take minutes (a download) and is called on a thread of its
   * own, one image at a time. Called again for each new pod, so a second call must be quick.
   *
   * @param name the image as the container names it, for example {@code flink:2.2}
   * @return empty when the name is not one of this catalogue's
   * @throws ImagePullException when the name is known but cannot be made ready; the message goes
   *     into the container's status
   */
  Optional<Image> pull(String name) throws ImagePullException;

  /** The names it knows, or patterns such as {@code flink:2.*}, for the message of ErrImagePull. */
  List<String> known();
}
