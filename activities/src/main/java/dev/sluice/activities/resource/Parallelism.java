package dev.sluice.activities.resource;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * With how many subtasks the job of a spec runs.
 *
 * @param ofJob of every vertex that says nothing else; 0 where the spec does not say
 * @param overrides of single vertices, by their ids
 * @param taskManagers their number in standalone mode; null where Flink makes them
 * @param maximum the most that any vertex can ever have that says nothing else; null where the spec
 *     leaves that to Flink
 */
public record Parallelism(
    int ofJob,
    Map<String, Integer> overrides,
    @Nullable Integer taskManagers,
    @Nullable Integer maximum) {

  public Parallelism {
    overrides = Map.copyOf(overrides);
  }

  /** The maximum is left to Flink. */
  public Parallelism(int ofJob, Map<String, Integer> overrides, @Nullable Integer taskManagers) {
    this(ofJob, overrides, taskManagers, null);
  }
}
