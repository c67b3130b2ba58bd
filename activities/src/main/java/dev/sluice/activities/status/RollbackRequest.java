package dev.sluice.activities.status;

import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Annotations;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The annotations that request a rollback, trimmed.
 *
 * @param text why, as its author says; null when none is requested
 * @param to the generation that is named; null for the one before
 * @param state {@code newest}; null for what the earlier spec left
 */
record RollbackRequest(@Nullable String text, @Nullable String to, @Nullable String state) {

  static RollbackRequest of(StoredResource resource) {
    return new RollbackRequest(
        annotation(resource, Annotations.ROLLBACK),
        annotation(resource, Annotations.ROLLBACK_TO),
        annotation(resource, Annotations.ROLLBACK_STATE));
  }

  boolean isThere() {
    return text != null;
  }

  /** Why, as its author says; empty when none is requested. */
  String reason() {
    return text == null ? "" : text;
  }

  /** Whether another generation is named than the one that is deployed. */
  boolean goesFurther(StoredResource resource) {
    return to != null && !isDeployed(resource, to);
  }

  private static boolean isDeployed(StoredResource resource, String generation) {
    return resource
        .frozen()
        .filter(it -> Long.toString(it.target().generation()).equals(generation))
        .isPresent();
  }

  /** What the abort of an operation has not answered, as text; empty when that is nothing. */
  Optional<String> unanswered(StoredResource resource) {
    if (goesFurther(resource)) {
      return Optional.of(Annotations.ROLLBACK_TO + "=" + to);
    }
    return Optional.ofNullable(state).map(it -> Annotations.ROLLBACK_STATE + "=" + it);
  }

  private static @Nullable String annotation(StoredResource resource, String name) {
    Map<String, String> annotations = resource.metadata().getAnnotations();
    String value = annotations == null ? null : annotations.get(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
