package dev.sluice.activities.revision;

import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/**
 * A spec that a resource had, and left.
 *
 * @param spec the spec
 * @param left the state that its job left; null when that is not known
 * @param rolledBack it was left for an earlier one, by a rollback
 */
public record SpecRevision(TargetSpec spec, @Nullable StateRef left, boolean rolledBack) {

  /** {@code metadata.generation} of the spec. */
  public long generation() {
    return spec.target().generation();
  }
}
