package dev.sluice.local.node.container;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An image is not known or cannot be made ready: the container waits with ErrImagePull. */
public final class ImagePullException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** With a message that {@code kubectl describe pod} shows. */
  public ImagePullException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
