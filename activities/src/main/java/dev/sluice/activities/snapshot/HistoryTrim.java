package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.api.common.Savepoint;
import dev.sluice.workflows.snapshot.Disposal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Step TrimHistory: disposes of the oldest savepoints of a history that exceed its limits, one
 * after the other. All of them count, as with Apache's operator. The newest always stays, and so
 * does what a resource names.
 */
final class HistoryTrim {

  /** Older operators list retained checkpoints, too, whose files others may share. */
  private static final Pattern CHECKPOINT = Pattern.compile(".*/chk-\\d+/*");

  private final List<Savepoint> oldestFirst;
  private final HistoryLimits limits;
  private final Instant now;
  private final Function<String, DisposeSavepoint> disposals;
  private final BiConsumer<String, Disposal> ended;
  private final Set<String> tried = new HashSet<>();
  private @Nullable String path;
  private @Nullable DisposeSavepoint current;

  /**
   * @param history oldest first
   * @param disposals of a path
   * @param ended is given the path and the result of each; blocks
   */
  HistoryTrim(
      List<Savepoint> history,
      HistoryLimits limits,
      Instant now,
      Function<String, DisposeSavepoint> disposals,
      BiConsumer<String, Disposal> ended) {
    this.oldestFirst =
        history.stream()
            .filter(it -> it.location() != null)
            .filter(it -> !CHECKPOINT.matcher(it.location()).matches())
            .toList();
    this.limits = limits;
    this.now = now;
    this.disposals = disposals;
    this.ended = ended;
  }

  /** Blocks for a few calls. Fails when Kubernetes or Flink does not answer. */
  ProbeResult<Boolean> look(ActGuard guard) {
    if (current == null) {
      Optional<String> next = next();
      if (next.isEmpty()) {
        return ProbeResult.done(true);
      }
      path = next.get();
      current = disposals.apply(path);
    }
    if (current.look(guard) instanceof ProbeResult.Done<Disposal> done) {
      ended.accept(path, done.result());
      tried.add(path);
      current = null;
    }
    return ProbeResult.notYet("disposing of " + path);
  }

  /** The oldest that is too much and was not tried. */
  Optional<String> next() {
    int size = oldestFirst.size();
    Duration age = limits.age();
    for (int i = 0; i < size - 1; i++) {
      Savepoint savepoint = oldestFirst.get(i);
      boolean tooOld =
          age != null && !Instant.ofEpochMilli(savepoint.timeStamp()).plus(age).isAfter(now);
      String location = savepoint.location();
      boolean tooMany = size - i > limits.count();
      if (location != null && (tooMany || tooOld) && !tried.contains(location)) {
        return Optional.of(location);
      }
    }
    return Optional.empty();
  }
}
