package dev.sluice.local.node.image;

import java.time.Instant;

/** How far an image is. */
public sealed interface ImageState {

  /** It was not requested yet. */
  record Unknown() implements ImageState {}

  /** Being made ready. */
  record Pulling() implements ImageState {}

  /** Ready to run. */
  record Pulled(Image image) implements ImageState {}

  /**
   * Not to be had.
   *
   * @param message why, and what is known
   * @param nextTry when it is asked for again; a pod shows ErrImagePull first and ImagePullBackOff
   *     from the second failure on
   * @param failures how often in a row
   */
  record Failed(String message, Instant nextTry, int failures) implements ImageState {}
}
