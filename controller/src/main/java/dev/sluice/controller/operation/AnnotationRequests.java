package dev.sluice.controller.operation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.WorkflowState.Answer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests in the annotations of a resource, and which of them are handled. An annotation that
 * exists when the controller first sees the resource came with its manifest; it is not about an
 * operation of this resource, so it counts as handled.
 *
 * @param all done or not; the abort first, which makes a retry idle
 * @param before what the status says is handled
 * @param answers what became of the requests that were sent
 * @param firstSeen whether the controller has never written a status of this resource
 */
public record AnnotationRequests(
    List<Request> all, HandledRequests before, Map<Request, Answer> answers, boolean firstSeen) {

  public AnnotationRequests {
    all = List.copyOf(all);
    answers = Map.copyOf(answers);
  }

  /**
   * Reads them.
   *
   * @param handled as in the status; null when nothing ever was
   */
  public static AnnotationRequests of(
      HasMetadata resource,
      @Nullable HandledRequests handled,
      Map<Request, Answer> answers,
      boolean firstSeen) {
    List<Request> all = new ArrayList<>();
    add(resource, Annotations.ABORT, Request.Abort::new, all);
    add(resource, Annotations.ROLLBACK, Request.Rollback::new, all);
    add(resource, Annotations.RETRY, Request.Retry::new, all);
    return new AnnotationRequests(
        all, Objects.requireNonNullElse(handled, HandledRequests.NONE), answers, firstSeen);
  }

  private static void add(
      HasMetadata resource,
      String annotation,
      Function<String, Request> request,
      List<Request> all) {
    value(resource, annotation).map(request).ifPresent(all::add);
  }

  private static Optional<String> value(HasMetadata resource, String annotation) {
    return Optional.ofNullable(resource.getMetadata().getAnnotations())
        .map(it -> it.get(annotation))
        .map(String::trim)
        .filter(it -> !it.isEmpty());
  }

  /** The same for a kind that has no rollback: nothing is done about one. */
  public AnnotationRequests withoutRollback() {
    return new AnnotationRequests(
        all.stream().filter(it -> !(it instanceof Request.Rollback)).toList(),
        before,
        answers,
        firstSeen);
  }

  /** The first request that nothing was done about yet. */
  public Optional<Request> pending() {
    return all.stream()
        .filter(request -> !isHandled(request) && !answers.containsKey(request))
        .findFirst();
  }

  /** What the status is to say is handled; null when nothing ever was. */
  public @Nullable HandledRequests handled() {
    HandledRequests handled = before;
    for (Request request : all) {
      if (firstSeen || answers.containsKey(request)) {
        handled = handled(handled, request);
      }
    }
    return handled.equals(HandledRequests.NONE) ? null : handled;
  }

  private static HandledRequests handled(HandledRequests before, Request request) {
    if (request instanceof Request.Abort) {
      return before.withAbort(request.text());
    }
    return request instanceof Request.Rollback
        ? before.withRollback(request.text())
        : before.withRetry(request.text());
  }

  /** One event for each request that was answered since the status was written. */
  public List<StatusEvent> events() {
    return all.stream()
        .filter(request -> !isHandled(request) && answers.containsKey(request))
        .map(request -> event(request, Objects.requireNonNull(answers.get(request))))
        .toList();
  }

  private static StatusEvent event(Request request, Answer answer) {
    return switch (answer) {
      case NOT_OPEN ->
          StatusEvent.warning(
              EventReasons.REQUEST_IGNORED,
              request.display() + ": ignored, because no operation is open.");
      case STARTED ->
          StatusEvent.normal(
              EventReasons.REQUEST_SENT, request.display() + ": started the operation again.");
      case DELIVERED ->
          StatusEvent.normal(
              EventReasons.REQUEST_SENT, request.display() + ": handed to the open operation.");
    };
  }

  private boolean isHandled(Request request) {
    // handled before: noting it once more changes nothing
    return firstSeen || handled(before, request).equals(before);
  }
}
