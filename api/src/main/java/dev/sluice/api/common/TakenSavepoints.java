package dev.sluice.api.common;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The savepoints that operations stopped the job of a resource with, as far as its status has to
 * know them. One that follows another quickly must not hide it.
 *
 * @param newest null when none was taken
 * @param untold those that have no FlinkStateSnapshot yet, oldest first; perhaps the newest, too
 */
public record TakenSavepoints(@Nullable Savepoint newest, List<Savepoint> untold) {

  /** How many wait for their FlinkStateSnapshot; of more the oldest is forgotten. */
  public static final int MOST = 5;

  /** None was taken. */
  public static final TakenSavepoints NONE = new TakenSavepoints(null, List.of());

  /** Keeps the newest {@value #MOST}. */
  public TakenSavepoints {
    untold = List.copyOf(untold.subList(Math.max(0, untold.size() - MOST), untold.size()));
  }

  /**
   * What a status says.
   *
   * @param earlier {@code earlierSavepoints}: taken before the newest
   * @param isTold whether the FlinkStateSnapshot that was made last is of that one: those before it
   *     have theirs, too
   */
  public static TakenSavepoints of(
      @Nullable Savepoint newest, List<Savepoint> earlier, Predicate<Savepoint> isTold) {
    List<Savepoint> untold = new ArrayList<>();
    for (Savepoint each : earlier) {
      add(each, untold, isTold);
    }
    if (newest != null) {
      add(newest, untold, isTold);
    }
    return new TakenSavepoints(newest, untold);
  }

  private static void add(Savepoint next, List<Savepoint> untold, Predicate<Savepoint> isTold) {
    if (isTold.test(next)) {
      untold.clear();
    } else if (next.location() != null) {
      untold.add(next);
    }
  }

  /** The same after one more; one that is known is the newest again. */
  public TakenSavepoints with(Savepoint newer) {
    if (newest != null && isSame(newest, newer)) {
      return this;
    }
    List<Savepoint> all = new ArrayList<>(earlier(newer));
    all.add(newer);
    return new TakenSavepoints(newer, all);
  }

  /** Those without a FlinkStateSnapshot but the newest, for {@code earlierSavepoints}. */
  public List<Savepoint> earlier() {
    return newest == null ? untold : earlier(newest);
  }

  private List<Savepoint> earlier(Savepoint than) {
    return untold.stream().filter(it -> !isSame(it, than)).toList();
  }

  private static boolean isSame(Savepoint one, Savepoint other) {
    return Objects.equals(one.location(), other.location());
  }
}
