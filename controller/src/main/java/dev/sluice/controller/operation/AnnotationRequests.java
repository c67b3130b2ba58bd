package dev.sluice.controller.operation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.HandledRequests;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.operation.TemporalAnswers.Answer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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
    List<Request> all =
        Stream.of(Request.Kind.values())
            .flatMap(
                kind ->
                    value(resource, kind.annotation()).map(it -> new Request(kind, it)).stream())
            .toList();
    return new AnnotationRequests(
        all, Objects.requireNonNullElse(handled, HandledRequests.NONE), answers, firstSeen);
  }

  private static Optional<String> value(HasMetadata resource, String annotation) {
    return Optional.ofNullable(Annotations.of(resource, annotation))
        .map(String::trim)
        .filter(it -> !it.isEmpty());
  }

  /** The same for a kind that has no rollback: nothing is done about one. */
  public AnnotationRequests withoutRollback() {
    return new AnnotationRequests(
        all.stream().filter(it -> !it.is(Request.Kind.ROLLBACK)).toList(),
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
    return switch (request.kind()) {
      case ABORT -> before.withAbort(request.text());
      case ROLLBACK -> before.withRollback(request.text());
      case RETRY -> before.withRetry(request.text());
    };
  }

  /** One event for each request that was answered since the status was written. */
  public List<StatusEvent> events() {
    return all.stream()
        .filter(request -> !isHandled(request) && answers.containsKey(request))
        .map(request -> event(request, Objects.requireNonNull(answers.get(request))))
        .toList();
  }

  private static StatusEvent event(Request request, Answer answer) {
    String became =
        switch (answer) {
          case NOT_OPEN -> "ignored, because no operation is open";
          case STARTED -> "started the operation again";
          case DELIVERED -> "handed to the open operation";
        };
    String message = "%s: %s.".formatted(request.display(), became);
    return answer == Answer.NOT_OPEN
        ? StatusEvent.warning(EventReasons.REQUEST_IGNORED, message)
        : StatusEvent.normal(EventReasons.REQUEST_SENT, message);
  }

  private boolean isHandled(Request request) {
    // handled before: noting it once more changes nothing
    return firstSeen || handled(before, request).equals(before);
  }
}
