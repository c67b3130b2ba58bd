package dev.sluice.workflows.operation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationType;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StatusLane;
import dev.sluice.workflows.operation.OperationProgress.Held;
import java.util.Locale;

/**
 * Renders an {@link OperationProgress} as the Markdown that Temporal's UI shows as current details:
 * the step in flight first, because the UI shows only the top; then what the user can do, if the
 * run does not go on; then what is done.
 */
final class CurrentDetails {

  private final ResourceRef resource;

  CurrentDetails(ResourceRef resource) {
    this.resource = resource;
  }

  String render(OperationProgress progress) {
    StringBuilder text = new StringBuilder("### ").append(title(progress)).append("\n\n");
    Held held = progress.held();
    if (held != null) {
      held(text, progress, held);
    } else if (progress.step() != null) {
      text.append("**Now: ").append(progress.step()).append("**");
      if (progress.deadline() != null) {
        text.append(", times out at ").append(progress.deadline());
      }
      text.append("\n");
      if (progress.failed() != null) {
        text.append("\nTrying again after: ").append(progress.failed()).append("\n");
      }
    }
    for (String request : progress.requests()) {
      text.append("\nRequested, takes effect at the next safe point: ")
          .append(request)
          .append("\n");
    }
    if (progress.state() != null) {
      text.append("\nState: `").append(progress.state()).append("`\n");
    }
    if (!progress.done().isEmpty()) {
      text.append("\nDone:\n\n");
      progress.done().forEach(line -> text.append("- ").append(line).append("\n"));
    }
    return text.toString();
  }

  private String title(OperationProgress progress) {
    String operation = progress.operation().toLowerCase(Locale.ROOT);
    Long from = progress.generations().from();
    long target = progress.generations().target();
    String generations = from == null ? "generation " + target : from + " -> " + target;
    return operation + " `" + progress.resource() + "` " + generations;
  }

  private void held(StringBuilder text, OperationProgress progress, Held held) {
    text.append(
        """
        **%s at: %s**

        %s %s: %s

        %s

        | to | do |
        |---|---|
        | try again now | signal `retry`%s |
        """
            .formatted(
                held.blocked() ? "Blocked" : "Parked",
                progress.step(),
                held.blocked() ? "Retries automatically." : "**Action required.**",
                held.reason(),
                held.message(),
                held.job(),
                orAnnotate("retry=\"$(date +%s)\"")));
    if (held.offersRestoreFrom()) {
      text.append("| choose what to start from (`recorded`, `empty`, or a path), and try again | ")
          .append(annotate("retry=\"$(date +%s)\" " + Annotations.RESTORE_FROM + "=<choice>"))
          .append(" |\n");
    }
    if (held.offersAbort()) {
      text.append("| give it up | signal `abort`")
          .append(orAnnotate("abort=\"$(date +%s)\""))
          .append(" |\n");
    }
    if (!progress.operation().equals(OperationType.SNAPSHOT.wire())) {
      text.append("| continue with a corrected spec | change the resource |\n");
    }
  }

  /** The annotations of what runs the job are for its own operations. */
  private String orAnnotate(String request) {
    boolean snapshot =
        resource.kind().equals("FlinkStateSnapshot") || StatusLane.typeOf(resource).isPresent();
    return snapshot ? "" : ", or " + annotate(request);
  }

  private String annotate(String request) {
    return "`kubectl annotate --overwrite -n %s %s %s sluice.dev/%s`"
        .formatted(
            resource.namespace(),
            resource.kind().toLowerCase(Locale.ROOT),
            resource.name(),
            request);
  }
}
