package dev.sluice.local.node.pod;

import io.fabric8.kubernetes.api.model.Container;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something to do about a pod. Every one is harmless when it is done twice. */
public sealed interface PodAction {

  /**
   * Start a container's process.
   *
   * @param attempt its number
   * @param delay the back-off that will hold when this one ends; null for none
   */
  record Start(Container container, int attempt, @Nullable Duration delay) implements PodAction {}

  /**
   * Ask a container's process to end.
   *
   * @param why for an event
   */
  record Terminate(String container, String why) implements PodAction {}

  /** End all processes of a container that did not do so when asked. */
  record Kill(String container) implements PodAction {}

  /** Tell the API server that the pod has ended and can go. */
  record Remove() implements PodAction {}

  /** Forget a pod that the API server has no more. */
  record Forget() implements PodAction {}

  /** Look again at that time, when nothing else happens before. */
  record LookAgain(Instant at) implements PodAction {}
}
