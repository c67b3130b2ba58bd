package dev.sluice.workflows.snapshot;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot's resource says, or the status that has one without a resource: no spec, only
 * what follows from it.
 *
 * @param which it is
 * @param deleting whether it is being deleted
 * @param problem why it is not valid, with the fields' paths; null when it is
 * @param wanted what to take
 * @param existing path of the savepoint that was taken before; null when it is to be taken
 * @param of what runs the job, such as {@code FlinkDeployment default/orders}
 * @param failuresAllowed how many attempts may fail; -1 for any number
 * @param disposes whether its files go with the resource
 * @param record what its status says
 */
public record SnapshotSeen(
    Which which,
    boolean deleting,
    @Nullable String problem,
    Wanted wanted,
    @Nullable String existing,
    String of,
    int failuresAllowed,
    boolean disposes,
    SnapshotRecord record) {

  /**
   * One of those that a lane takes, perhaps one after the other.
   *
   * @param id tells it from every other snapshot, also on the same lane
   * @param name that people know it by
   * @param earlier trigger ids of other snapshots, before this one on the same lane, that were
   *     given up and may be in progress
   */
  public record Which(String id, String name, List<String> earlier) {

    /** Copies the list. */
    public Which {
      earlier = earlier == null ? List.of() : List.copyOf(earlier);
    }
  }

  /** As {@link Which#id}. */
  @JsonIgnore
  public String id() {
    return which.id();
  }

  /** What to take. */
  public enum Wanted {
    /** A savepoint. */
    SAVEPOINT("savepoint"),
    /** A checkpoint. */
    CHECKPOINT("checkpoint");

    private final String words;

    Wanted(String words) {
      this.words = words;
    }

    /** As messages name it. */
    public String display() {
      return words;
    }
  }

  /** {@code attempt 2 of 4}; {@code attempt 2} where any number may fail, or one was asked for. */
  public String attempt(int number) {
    return failuresAllowed < 0 || number > failuresAllowed + 1
        ? "attempt " + number
        : "attempt %d of %d".formatted(number, failuresAllowed + 1);
  }

  /** Whether another attempt is allowed after that many failures. */
  public boolean allows(int failures) {
    return failuresAllowed < 0 || failures <= failuresAllowed;
  }
}
