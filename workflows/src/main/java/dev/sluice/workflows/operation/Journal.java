package dev.sluice.workflows.operation;

import dev.sluice.workflows.operation.OperationProgress.Waiting;
import dev.sluice.workflows.resource.ResourceRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a run has done so far and what it is at: the source of all that people see of it. */
final class Journal {

  private final String operation;
  private final ResourceRef resource;
  private final List<String> done = new ArrayList<>();
  private long target;
  private @Nullable Long from;
  private @Nullable String step;
  private @Nullable Long deadlineMs;
  private @Nullable Waiting waiting;
  private @Nullable String savepoint;

  Journal(String operation, OperationInput input) {
    this.operation = operation;
    this.resource = input.resource();
    this.target = input.generation();
    this.savepoint = input.savepoint();
  }

  void generations(@Nullable Long from, long target) {
    this.from = from;
    this.target = target;
  }

  void begin(String summary, @Nullable Long givenUpAtMs) {
    step = summary;
    deadlineMs = givenUpAtMs;
    waiting = null;
  }

  void finish(String result) {
    done.add(result);
    step = null;
    deadlineMs = null;
  }

  void park(Waiting why) {
    waiting = why;
    deadlineMs = null;
  }

  void savepoint(@Nullable String path) {
    savepoint = path;
  }

  OperationProgress progress(List<String> requests) {
    return new OperationProgress(
        operation,
        resource.display(),
        from,
        target,
        done,
        step,
        deadlineMs == null ? null : rfc3339(deadlineMs),
        waiting,
        savepoint,
        requests);
  }

  private static String rfc3339(long ms) {
    return Instant.ofEpochMilli(ms).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
