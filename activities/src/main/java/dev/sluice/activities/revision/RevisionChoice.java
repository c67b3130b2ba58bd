package dev.sluice.activities.revision;

import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.model.StateRef;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which earlier spec and state a rollback request asks for. Pure. */
public sealed interface RevisionChoice {

  /** Value of {@link Annotations#ROLLBACK_STATE}. */
  String NEWEST = "newest";

  /**
   * It can be gone back to.
   *
   * @param spec the spec
   * @param from what its job starts from; null for the newest state of the job that runs
   */
  record Found(TargetSpec spec, @Nullable StateRef from) implements RevisionChoice {}

  /**
   * It cannot.
   *
   * @param problem why, with the annotation to change
   */
  record NotFound(String problem) implements RevisionChoice {}

  /**
   * Chooses.
   *
   * @param known all specs that are kept
   * @param deployed generation of the spec that is deployed
   * @param to value of {@link Annotations#ROLLBACK_TO}; null when absent
   * @param state value of {@link Annotations#ROLLBACK_STATE}; null when absent
   */
  static RevisionChoice of(
      List<SpecRevision> known, long deployed, @Nullable String to, @Nullable String state) {
    if (state != null && !state.equals(NEWEST)) {
      return new NotFound(
          "%s is '%s', and can only be '%s'".formatted(Annotations.ROLLBACK_STATE, state, NEWEST));
    }
    if (Long.toString(deployed).equals(to == null ? null : to.trim())) {
      return new NotFound("generation " + deployed + " is deployed");
    }
    Optional<SpecRevision> found = to == null ? before(known, deployed) : named(known, to);
    if (found.isEmpty()) {
      return new NotFound(missing(known, deployed, to));
    }
    SpecRevision revision = found.get();
    if (state != null) {
      return new Found(revision.spec(), null);
    }
    return revision.left() == null
        ? new NotFound(
            "it is not known what the job of generation %d left; to start from the newest state of"
                    .formatted(revision.generation())
                + " the job that runs, annotate with "
                + Annotations.ROLLBACK_STATE
                + "="
                + NEWEST
                + " and "
                + Annotations.ROLLBACK)
        : new Found(revision.spec(), revision.left());
  }

  private static Optional<SpecRevision> before(List<SpecRevision> known, long deployed) {
    // one that was rolled back from is not what ran before
    return known.stream()
        .filter(revision -> revision.generation() < deployed && !revision.rolledBack())
        .max(Comparator.comparingLong(SpecRevision::generation));
  }

  private static Optional<SpecRevision> named(List<SpecRevision> known, String to) {
    return known.stream()
        .filter(revision -> Long.toString(revision.generation()).equals(to.trim()))
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
