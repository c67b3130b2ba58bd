package dev.sluice.workflows.operation;

import io.temporal.workflow.Async;
import io.temporal.workflow.Functions.Proc1;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowLocal;
import java.util.ArrayList;
import java.util.List;

/** Effects that are carried out next to the steps of a run: no step waits for one of them. */
public final class ParallelEffects {

  private static final WorkflowLocal<List<Promise<Boolean>>> OPEN =
      WorkflowLocal.withCachedInitial(ArrayList::new);

  private ParallelEffects() {}

  /**
   * Begins a short effect. Its failure is logged, and stops nothing.
   *
   * @param summary one line for Temporal's UI
   */
  public static <A> void begin(String summary, Class<A> type, Proc1<A> call) {
    A stub = Workflow.newActivityStub(type, StepOptions.effect(summary));
    OPEN.get()
        .add(
            Async.procedure(call, stub)
                .handle(
                    (none, failure) -> {
                      if (failure != null) {
                        Workflow.getLogger(ParallelEffects.class)
                            .warn("Failed: {}", summary, failure);
                      }
                      return failure == null;
                    }));
  }

  /** Returns when all that were begun have ended: before the run reports its end. */
  public static void join() {
    List<Promise<Boolean>> open = OPEN.get();
    while (!open.isEmpty()) {
      boolean unused = open.remove(0).get();
    }
  }
}
