package dev.sluice.workflows.operation;

import dev.sluice.workflows.resource.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * What every workflow of a lane is started with: a reference and decisions, never a spec.
 *
 * @param resource whose lane it is
 * @param generation the {@code metadata.generation} to reach; for {@code Rollback} the one that is
 *     given up
 * @param why one line for people: what asked for this run
 * @param savepoint the state that an earlier run on this lane took and that this one restores from;
 *     null when none was taken
 * @param stopTrigger trigger id of a stop with savepoint that an earlier run on this lane began and
 *     left before its end; null when there is none
 */
public record OperationInput(
    ResourceRef resource,
    long generation,
    String why,
    @Nullable String savepoint,
    @Nullable String stopTrigger) {

  /** As most runs are started. */
  public OperationInput(
      ResourceRef resource, long generation, String why, @Nullable String savepoint) {
    this(resource, generation, why, savepoint, null);
  }

  /** An operation asked for by the controller. */
  public static OperationInput of(ResourceRef resource, long generation, String why) {
    return new OperationInput(resource, generation, why, null);
  }

  /** The same, with a stop with savepoint in flight. */
  public OperationInput withStopTrigger(@Nullable String triggerId) {
    return new OperationInput(resource, generation, why, savepoint, triggerId);
  }
}
