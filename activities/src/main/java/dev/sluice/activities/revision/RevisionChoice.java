package dev.sluice.activities.revision;

import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.activities.revision.SpecRevisions.SpecRevision;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.model.StateRef;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which earlier spec and state a rollback request asks for.
 *
 * @param spec the spec; null when it cannot be gone back to
 * @param from what its job starts from; null for the newest state of the job that runs
 * @param problem why it cannot be gone back to, with the annotation to change; empty when it can
 */
public record RevisionChoice(@Nullable TargetSpec spec, @Nullable StateRef from, String problem) {

  private static final String NEWEST = "newest";

  /** It cannot be gone back to. */
  public static RevisionChoice none(String problem) {
    return new RevisionChoice(null, null, problem);
  }

  /**
   * Chooses. Pure.
   *
   * @param known all specs that are kept
   * @param deployed generation of the spec that is deployed
   * @param to value of {@link Annotations#ROLLBACK_TO}; null when absent
   * @param state value of {@link Annotations#ROLLBACK_STATE}; null when absent
   */
  public static RevisionChoice of(
      List<SpecRevision> known, long deployed, @Nullable String to, @Nullable String state) {
    if (state != null && !state.equals(NEWEST)) {
      return none(
          "%s is '%s', and can only be '%s'".formatted(Annotations.ROLLBACK_STATE, state, NEWEST));
    }
    if (Long.toString(deployed).equals(to)) {
      return none("generation " + deployed + " is deployed");
    }
    SpecRevision found = (to == null ? before(known, deployed) : named(known, to)).orElse(null);
    if (found == null) {
      return none(missing(known, deployed, to));
    }
    if (state != null || found.left() != null) {
      return new RevisionChoice(found.spec(), state == null ? found.left() : null, "");
    }
    return none(
        "it is not known what the job of generation %d left; to start from the newest state of the job that runs, annotate with %s=%s and %s"
            .formatted(
                found.generation(), Annotations.ROLLBACK_STATE, NEWEST, Annotations.ROLLBACK));
  }

  private static Optional<SpecRevision> before(List<SpecRevision> known, long deployed) {
    // one that was rolled back from is not what ran before
    return known.stream()
        .filter(revision -> revision.generation() < deployed && !revision.rolledBack())
        .max(Comparator.comparingLong(SpecRevision::generation));
  }

  private static Optional<SpecRevision> named(List<SpecRevision> known, String to) {
    return known.stream()
        .filter(revision -> Long.toString(revision.generation()).equals(to))
        .findFirst();
  }

  private static String missing(List<SpecRevision> known, long deployed, @Nullable String to) {
    String all =
        known.stream()
            .map(SpecRevision::generation)
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return (to == null
            ? "no spec before generation " + deployed + " is kept"
            : "no spec of generation '" + to + "' is kept")
        + (all.isEmpty() ? "" : "; kept are generations " + all);
  }
}
