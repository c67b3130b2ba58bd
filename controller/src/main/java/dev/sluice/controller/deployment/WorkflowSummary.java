package dev.sluice.controller.deployment;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationType;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.controller.operation.Request;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a run is shown in Temporal's UI. Secrets in changed fields are masked already. */
final class WorkflowSummary {

  /** Longest list of changed fields, in lines. */
  private static final int MOST_CHANGES = 30;

  /** Longest text of a request or a loss that is shown, in characters. */
  private static final int LONGEST_TEXT = 1_000;

  /**
   * In bytes. Temporal refuses a start with more than 20,000, and counts them in JSON, where a
   * quote or the end of a line takes two.
   */
  private static final int MOST_BYTES = 9_500;

  private WorkflowSummary() {}

  /** One line: {@code upgrade default/orders 6 -> 7}. */
  static String summary(SeenDeployment snapshot, OperationType type, long generation) {
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + snapshot.ref().display();
    FrozenSpec frozen = snapshot.check().frozen();
    return switch (type) {
      case UPGRADE, RESCALE, SUSPEND, RESUME ->
          title
              + (frozen == null || frozen.generation() == 0 ? " " : " " + frozen.generation() + " ")
              + "-> "
              + generation;
      case RECOVER -> title + " " + (frozen == null ? generation : frozen.generation());
      case DELETE -> title;
      default -> title + " " + generation;
    };
  }

  /** Markdown. */
  static String details(
      SeenDeployment snapshot, OperationType type, long generation, @Nullable Request request) {
    StringBuilder text = new StringBuilder();
    text.append(
        "**%s** of FlinkDeployment `%s`, generation %d\n"
            .formatted(type.wire(), snapshot.ref().display(), generation));
    if (request != null) {
      text.append(
          "\nRequested with the annotation `%s`: %s\n"
              .formatted(request.annotation(), BoundedText.of(request.text(), LONGEST_TEXT)));
    }
    if (type == OperationType.RECOVER) {
      text.append(
          "\nBrings its job back: %s.\n"
              .formatted(BoundedText.of(LostJob.begun(snapshot).why(), LONGEST_TEXT)));
    }
    if (type == OperationType.FINISH) {
      snapshot
          .job()
          .ifPresent(
              job ->
                  text.append(
                      "\n%s job %s, which is %s since %s.\n"
                          .formatted(
                              JobManagerShutdown.isTooEarly(snapshot)
                                  ? "Records what was left by"
                                  : "Deletes the cluster of",
                              job.id(),
                              job.state(),
                              job.times().modified())));
    }
    List<String> changes = snapshot.check().changes();
    boolean showsChanges =
        switch (type) {
          case UPGRADE, RESCALE, SUSPEND, RESUME -> true;
          default -> false;
        };
    if (showsChanges && !changes.isEmpty()) {
      text.append("\nChanged fields:\n\n");
      changes.stream()
          .limit(MOST_CHANGES)
          .forEach(change -> text.append("* ").append(change).append('\n'));
      if (changes.size() > MOST_CHANGES) {
        text.append("* and ").append(changes.size() - MOST_CHANGES).append(" more\n");
      }
    }
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
