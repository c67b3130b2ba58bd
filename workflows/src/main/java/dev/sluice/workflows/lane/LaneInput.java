package dev.sluice.workflows.lane;

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
 */
public record LaneInput(
    ResourceRef resource, long generation, String why, @Nullable String savepoint) {

  /** An operation asked for by the controller. */
  public static LaneInput of(ResourceRef resource, long generation, String why) {
    return new LaneInput(resource, generation, why, null);
  }
}
