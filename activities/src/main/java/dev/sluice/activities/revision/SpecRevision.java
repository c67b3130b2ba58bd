package dev.sluice.activities.revision;

import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.workflows.model.StateRef;
import org.jspecify.annotations.Nullable;

/**
 * A spec that a resource had, and left.
 *
 * @param spec the spec
 * @param left the state that its job left; null when that is not known
 */
public record SpecRevision(TargetSpec spec, @Nullable StateRef left) {

  /** {@code metadata.generation} of the spec. */
  public long generation() {
    return spec.target().generation();
  }
}
