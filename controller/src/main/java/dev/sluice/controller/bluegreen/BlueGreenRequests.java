package dev.sluice.controller.bluegreen;

import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.operation.NewRun;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.operation.Request;
import dev.sluice.controller.operation.ResourcePhase;
import dev.sluice.controller.reconcile.LanePlanner;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decides that a FlinkBlueGreenDeployment needs an operation. */
final class BlueGreenRequests extends LanePlanner<SeenBlueGreen> {

  /** In bytes; see SessionJobPlanner: Temporal counts them in JSON. */
  private static final int MOST_BYTES = 9_500;

  private BlueGreenRequests(SeenBlueGreen seen) {
    super(seen);
  }

  /** What to do now. */
  static ReconcileAction decide(SeenBlueGreen seen) {
    return new BlueGreenRequests(seen).decide();
  }

  /** Before a child is made, the status says which. */
  @Override
  protected boolean mayHaveMadeSomething() {
    return seen.live().isPresent()
        || seen.blueGreen().transition() != null
        || !seen.observed().children().areNone();
  }

  @Override
  protected OperationType openType() {
    return OperationType.TRANSITION;
  }

  /** The run decides what is to be done about the children. */
  @Override
  protected @Nullable OperationType idle() {
    return seen.lacksLiveChild() || seen.runsBoth() ? OperationType.TRANSITION : null;
  }

  @Override
  protected @Nullable OperationType again() {
    return seen.phase() == ResourcePhase.GIVEN_UP || seen.lacksLiveChild()
        ? OperationType.TRANSITION
        : null;
  }

  @Override
  protected NewRun run(OperationType type, @Nullable Request request) {
    long generation = type == OperationType.DELETE ? seen.generation() : seen.goal();
    String title = type.wire().toLowerCase(Locale.ROOT) + " " + seen.ref().display();
    return new NewRun(
        type,
        generation,
        type == OperationType.DELETE ? title : title + " " + generation,
        details(type, generation),
        request instanceof Request.Retry);
  }

  private String details(OperationType type, long generation) {
    StringBuilder text =
        new StringBuilder(
            "**%s** of FlinkBlueGreenDeployment `%s`, generation %d\n"
                .formatted(type.wire(), seen.ref().display(), generation));
    String standing = ColorWords.standing(seen);
    if (!standing.isEmpty()) {
      text.append('\n').append(standing).append('\n');
    }
    seen.check().changes().forEach(change -> text.append("\n* ").append(change));
    return BoundedText.ofBytes(text.toString(), MOST_BYTES);
  }
}
