package dev.sluice.workflows.operation;

import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationProgress.Generations;
import dev.sluice.workflows.operation.OperationProgress.Held;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run has done so far and which step is in flight: the source of all that is shown. */
final class Journal {

  private static final int MOST_LINES = 40;

  private final String resource;
  private final List<String> done = new ArrayList<>();
  private Generations generations;
  private @Nullable String step;
  private @Nullable Long deadlineMs;
  private @Nullable Held held;
  private @Nullable String failed;
  private @Nullable StateRef state;

  Journal(OperationInput input) {
    this.resource = input.resource().display();
    this.generations = new Generations(null, input.generation());
  }

  void generations(@Nullable Long from, long target) {
    generations = new Generations(from, target);
  }

  void begin(String summary, @Nullable Long givenUpAtMs) {
    step = summary;
    deadlineMs = givenUpAtMs;
    held = null;
  }

  void finish(String result) {
    done.add(result);
    if (done.size() > MOST_LINES) {
      done.remove(1);
    }
    step = null;
    deadlineMs = null;
    failed = null;
  }

  void hold(Held why) {
    held = why;
    failed = why.reason() + ": " + why.message();
    deadlineMs = null;
  }

  void state(StateRef taken) {
    state = taken;
  }

  OperationProgress progress(String operation, List<String> requests) {
    return new OperationProgress(
        operation,
        resource,
        generations,
        done,
        step,
        deadlineMs == null ? null : rfc3339(deadlineMs),
        held,
        failed,
        state == null ? null : state.display(),
        requests);
  }

  private static String rfc3339(long ms) {
    return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
