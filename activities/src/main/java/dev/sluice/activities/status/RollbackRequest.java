package dev.sluice.activities.status;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.revision.SpecRevisions.SpecRevision;
import dev.sluice.api.Annotations;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The annotations that request a rollback.
 *
 * @param annotations those that are there, as they are written
 */
record RollbackRequest(Map<String, String> annotations) {

  private static final Set<String> NAMES =
      Set.of(Annotations.ROLLBACK, Annotations.ROLLBACK_TO, Annotations.ROLLBACK_STATE);

  static RollbackRequest of(StoredResource resource) {
    Map<String, String> asked = UsedAnnotations.of(resource);
    asked.keySet().retainAll(NAMES);
    return new RollbackRequest(asked);
  }

  boolean isThere() {
    return value(Annotations.ROLLBACK) != null;
  }

  /** Why, as its author says; empty when none is requested. */
  String reason() {
    return Objects.requireNonNullElse(value(Annotations.ROLLBACK), "");
  }

  private static long deployed(StoredResource resource) {
    return resource.frozen().map(it -> it.target().generation()).orElse(0L);
  }

  /** Whether another generation is named than the one that is deployed. */
  boolean goesFurther(StoredResource resource) {
    String to = value(Annotations.ROLLBACK_TO);
    return to != null && !to.equals(Long.toString(deployed(resource)));
  }

  /** A request is carried out once, also by a run that is reset or started twice. */
  RevisionChoice choice(StoredResource resource, List<SpecRevision> known) {
    String to = value(Annotations.ROLLBACK_TO);
    if (!isThere()) {
      return RevisionChoice.none(
          "the annotation " + Annotations.ROLLBACK + " is not there (any more)");
    }
    if (!resource.observed().newest().sameAsFrozen() && to == null) {
      return RevisionChoice.none(
          "generation %d is not what is deployed. To go back further all the same, name the generation with %s"
              .formatted(resource.newest().target().generation(), Annotations.ROLLBACK_TO));
    }
    return RevisionChoice.of(known, deployed(resource), to, value(Annotations.ROLLBACK_STATE));
  }

  /** What the abort of an operation has not answered, as text; null when that is nothing. */
  @Nullable String unanswered(StoredResource resource) {
    String name = goesFurther(resource) ? Annotations.ROLLBACK_TO : Annotations.ROLLBACK_STATE;
    String value = value(name);
    return value == null ? null : name + "=" + value;
  }

  private @Nullable String value(String name) {
    String value = annotations.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
