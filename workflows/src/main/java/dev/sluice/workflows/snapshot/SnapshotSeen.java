package dev.sluice.workflows.snapshot;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as it was observed: what follows from its spec, and its status.
 *
 * @param id unique; also between the snapshots that the status of one resource has one after the
 *     other
 * @param deleting whether it is being deleted
 * @param problem why it is not valid, with the fields' paths; null when it is
 * @param wanted what to take
 * @param of what runs the job, such as {@code FlinkDeployment default/orders}
 * @param failuresAllowed how many attempts may fail; -1 for any number
 * @param disposes whether its files go with the resource
 * @param excess savepoints that the history in a status has no place for, oldest first
 * @param record its status
 */
public record SnapshotSeen(
    String id,
    boolean deleting,
    @Nullable String problem,
    Wanted wanted,
    String of,
    int failuresAllowed,
    boolean disposes,
    List<String> excess,
    SnapshotRecord record) {

  public SnapshotSeen {
    excess = List.copyOf(excess);
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

  /** {@code savepoint of FlinkDeployment default/orders}. */
  String what() {
    return wanted.display() + " of " + of;
  }

  /** {@code Attempt 2 of 4}; {@code Attempt 2} where any number may fail, or one was asked for. */
  String attempt(int number) {
    return failuresAllowed < 0 || number > failuresAllowed + 1
        ? "Attempt " + number
        : "Attempt %d of %d".formatted(number, failuresAllowed + 1);
  }

  /** Whether another attempt is allowed after that many failures. */
  boolean allows(int failures) {
    return failuresAllowed < 0 || failures <= failuresAllowed;
  }
}
