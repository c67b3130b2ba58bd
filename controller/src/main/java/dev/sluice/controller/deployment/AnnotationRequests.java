package dev.sluice.controller.deployment;

import dev.sluice.api.common.HandledRequests;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the annotations of a resource ask for, and what of it is done. */
public final class AnnotationRequests {

  private AnnotationRequests() {}

  /** The first request that nothing was done about yet. */
  static Optional<Request> pending(DeploymentSnapshot situation) {
    return all(situation).stream()
        .filter(request -> !isHandled(situation, request))
        .filter(request -> !situation.seen().lane().answers().containsKey(request))
        .findFirst();
  }

  /** What the status is to say is handled; null when nothing ever was. */
  public static @Nullable HandledRequests handled(DeploymentSnapshot situation) {
    HandledRequests handled =
        Objects.requireNonNullElse(situation.status().requests(), HandledRequests.NONE);
    for (Request request : all(situation)) {
      if (situation.seen().lane().answers().containsKey(request)) {
        handled =
            request instanceof Request.Abort
                ? handled.withAbort(request.text())
                : handled.withRetry(request.text());
      }
    }
    return handled.equals(HandledRequests.NONE) ? null : handled;
  }

  /** Whether the status says that this very request is done. */
  public static boolean isHandled(DeploymentSnapshot situation, Request request) {
    HandledRequests handled = situation.status().requests();
    if (handled == null) {
      return false;
    }
    return request
        .text()
        .equals(request instanceof Request.Abort ? handled.abort() : handled.retry());
  }

  /** All that the annotations ask for, done or not; the abort first, which makes a retry idle. */
  public static List<Request> all(DeploymentSnapshot situation) {
    return Stream.of(new Request.Abort(""), new Request.Retry(""))
        .flatMap(kind -> read(situation, kind).stream())
        .toList();
  }

  private static Optional<Request> read(DeploymentSnapshot situation, Request kind) {
    String text = situation.annotation(kind.annotation());
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(
        kind instanceof Request.Abort ? new Request.Abort(text) : new Request.Retry(text));
  }
}
