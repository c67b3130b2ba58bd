package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.OperationProgress.Waiting;
import dev.sluice.workflows.resource.ResourceRef;
import java.util.Locale;

/**
 * Renders a {@link OperationProgress} as the Markdown that Temporal's UI shows as current details:
 * what is in flight first, because the UI shows only the top at first; when a person is needed,
 * what they can do; then what is done.
 */
final class CurrentDetails {

  private final ResourceRef resource;

  CurrentDetails(ResourceRef resource) {
    this.resource = resource;
  }

  String render(OperationProgress progress) {
    StringBuilder text = new StringBuilder("### ").append(title(progress)).append("\n\n");
    if (progress.step() != null && progress.waiting() == null) {
      text.append("**Now: ").append(progress.step()).append("**");
      if (progress.deadline() != null) {
        text.append(", gives up at ").append(progress.deadline());
      }
      text.append("\n");
    }
    if (progress.waiting() != null) {
      text.append("**Parked at: ").append(progress.step()).append("**\n");
      parked(text, progress, progress.waiting());
    }
    for (String request : progress.requests()) {
      text.append("\nAsked for, at the next safe point: ").append(request).append("\n");
    }
    if (progress.savepoint() != null) {
      text.append("\nState: `").append(progress.savepoint()).append("`\n");
    }
    if (!progress.done().isEmpty()) {
      text.append("\nDone:\n\n");
      progress.done().forEach(line -> text.append("- ").append(line).append("\n"));
    }
    return text.toString();
  }

  private static String title(OperationProgress progress) {
    String operation = progress.operation().toLowerCase(Locale.ROOT);
    String generations =
        progress.fromGeneration() == null
            ? "generation " + progress.targetGeneration()
            : progress.fromGeneration() + " -> " + progress.targetGeneration();
    return operation + " `" + progress.resource() + "` " + generations;
  }

  private void parked(StringBuilder text, OperationProgress progress, Waiting waiting) {
    text.append("\n**Waiting for you.** ")
        .append(waiting.reason())
        .append(": ")
        .append(waiting.message())
        .append("\n\n")
        .append(
            waiting.jobRuns()
                ? "The old job runs on, untouched.\n"
                : "No job of this resource is known to run now.\n")
        .append("\n| to | do |\n|---|---|\n")
        .append("| try again | signal `retry`, or ")
        .append(annotate("retry"))
        .append(" |\n");
    if (!progress.operation().equals("Rollback")) {
      text.append(progress.operation().equals("Deploy") ? "| take it down" : "| go back")
          .append(" | signal `abort`, or ")
          .append(annotate("abort"))
          .append(" |\n");
    }
    text.append("| go on with a corrected spec | change the resource |\n");
  }

  private String annotate(String request) {
    return "`kubectl annotate --overwrite -n %s %s %s sluice.dev/%s=\"$(date +%%s)\"`"
        .formatted(
            resource.namespace(),
            resource.kind().toLowerCase(Locale.ROOT),
            resource.name(),
            request);
  }
}
