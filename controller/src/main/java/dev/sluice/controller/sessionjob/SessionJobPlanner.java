package dev.sluice.controller.sessionjob;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides that a FlinkSessionJob needs an operation; the wait for its cluster is the workflow's.
 */
final class SessionJobPlanner extends LanePlanner<SeenSessionJob> {

  /**
   * In bytes. Temporal refuses a start with more than 20,000, and counts them in JSON, where a
   * quote or the end of a line takes two.
   */
  private static final int MOST_BYTES = 9_500;

  private SessionJobPlanner(SeenSessionJob seen) {
    super(seen);
  }

  /** What to do now. */
  static ReconcileAction decide(SeenSessionJob seen) {
    return new SessionJobPlanner(seen).decide();
  }

  /** Before Flink is asked to run a job, the status says which. */
  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.status().reconciliationStatus() != null || seen.status().submission() != null;
  }

  /** A job that leaves a cluster gets the same spec again, on the cluster that comes next. */
  @Override
  protected @Nullable OperationType idle() {
    if (seen.phase() == ResourcePhase.SETTLED && seen.mustLeave()) {
      return OperationType.UPGRADE;
    }
    return LostSessionJob.of(seen).isPresent() ? OperationType.RECOVER : null;
  }

  @Override
  protected @Nullable OperationType again() {
    if (LostSessionJob.onRetry(seen).isPresent()) {
      return OperationType.RECOVER;
    }
    if (seen.phase() == ResourcePhase.GIVEN_UP) {
      return seen.forward();
    }
    return seen.mayLeaveAfterAll() ? OperationType.UPGRADE : null;
  }

  @Override
  protected OperationType openType() {
    if (seen.phase().isOpen() && seen.isRollingBack()) {
      return OperationType.ROLLBACK;
    }
    if (seen.goal() > seen.target()) {
      return seen.forward();
    }
    return seen.isOpen(OperationType.RECOVER) ? OperationType.RECOVER : seen.forward();
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    long generation = generation(type);
    boolean asked =
        request instanceof Request.Retry
            || (request instanceof Request.Rollback && type == OperationType.ROLLBACK);
    return new NewRun(
        type,
        generation,
        summary(type, generation),
        details(type, generation),
        asked,
        type == OperationType.RECOVER ? LostSessionJob.begun(seen) : null,
        false);
  }

  private long generation(OperationType type) {
    return switch (type) {
      case ROLLBACK -> seen.phase().isOpen() ? seen.target() : seen.generation();
      case DELETE -> seen.generation();
      default -> seen.goal();
    };
  }

  private String summary(OperationType type, long generation) {
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + seen.ref().display();
    return type == OperationType.DELETE ? title : title + " " + generation;
  }

  private String details(OperationType type, long generation) {
    StringBuilder text =
        new StringBuilder(
            "**%s** of FlinkSessionJob `%s`, generation %d, on session cluster `%s`\n"
                .formatted(
                    type.wire(),
                    seen.ref().display(),
                    generation,
                    seen.resource().getSpec().deploymentName()));
    if (type == OperationType.RECOVER) {
      text.append("\nBrings its job back: %s.\n".formatted(LostSessionJob.begun(seen).why()));
    }
    seen.check().changes().forEach(change -> text.append("\n* ").append(change));
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
