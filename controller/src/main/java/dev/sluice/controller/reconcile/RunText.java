package dev.sluice.controller.reconcile;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun.Loss;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.status.SeenResource;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a run is shown in Temporal's UI. Secrets in changed fields are masked already. */
final class RunText {

  /** Longest text of a request or a loss that is shown, in characters. */
  private static final int LONGEST_TEXT = 1_000;

  /**
   * In bytes. Temporal refuses a start with more than 20,000, and counts them in JSON, where a
   * quote or the end of a line takes two.
   */
  private static final int MOST_BYTES = 9_500;

  private RunText() {}

  /** One line: {@code upgrade default/orders 6 -> 7}. */
  static String summary(SeenResource seen, OperationType type, long generation) {
    long frozen = Objects.requireNonNullElse(seen.frozenGeneration(), 0L);
    String generations =
        switch (type) {
          case UPGRADE, RESCALE, SUSPEND, RESUME ->
              frozen != 0 ? frozen + " -> " + generation : String.valueOf(generation);
          case RECOVER -> String.valueOf(frozen != 0 ? frozen : generation);
          case DELETE -> "";
          default -> String.valueOf(generation);
        };
    String words = type.wire().replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    return "%s %s %s".formatted(words, seen.ref().display(), generations).trim();
  }

  /**
   * Markdown.
   *
   * @param standing more about the resource, as sentences; empty for nothing
   */
  static String details(
      SeenResource seen,
      OperationType type,
      long generation,
      @Nullable Request request,
      @Nullable Loss loss,
      String standing) {
    StringBuilder text =
        new StringBuilder(
            "**%s** of %s `%s`, generation %d\n"
                .formatted(type.wire(), seen.ref().kind(), seen.ref().display(), generation));
    if (!standing.isEmpty()) {
      text.append('\n').append(standing).append('\n');
    }
    if (request != null) {
      text.append(
          "\nRequested with the annotation `%s`: %s\n"
              .formatted(
                  request.kind().annotation(), BoundedText.of(request.text(), LONGEST_TEXT)));
    }
    if (loss != null) {
      text.append(
          "\nBrings its job back: %s.\n".formatted(BoundedText.of(loss.why(), LONGEST_TEXT)));
    }
    text.append(seen.changes().isEmpty() ? "" : "\nChanged fields:\n");
    seen.changes().forEach(change -> text.append("\n* ").append(change));
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
