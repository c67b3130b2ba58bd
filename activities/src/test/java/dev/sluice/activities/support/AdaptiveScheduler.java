package dev.sluice.activities.support;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import dev.sluice.activities.flink.TaskManagerOverview;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** That of a JobManager whose job runs with as many subtasks as the test says. */
abstract class AdaptiveScheduler implements FlinkRest {

  /** Calls with an effect, in order. */
  public final List<String> effects = new ArrayList<>();

  private final Map<String, Vertex> vertices = new HashMap<>();
  private final Map<String, Bounds> bounds = new HashMap<>();
  private @Nullable RuntimeException noChange;

  /** A vertex that may run with so many subtasks, and runs with the most of them. */
  public void vertex(String id, int lower, int upper, int max) {
    bounds.put(id, new Bounds(lower, upper));
    vertices.put(id, new Vertex(upper, max));
  }

  /** It has the slots for as many as are required. */
  public void settle() {
    bounds.forEach((id, it) -> runsWith(id, it.upper()));
  }

  /** So many subtasks of the vertex run. */
  public void runsWith(String id, int parallelism) {
    vertices.computeIfPresent(id, (same, it) -> new Vertex(parallelism, it.maxParallelism()));
  }

  /** It does not change what is required; null: it does. */
  public void refuseChange(@Nullable RuntimeException with) {
    noChange = with;
  }

  abstract <T> T answer(Supplier<T> content);

  @Override
  public List<TaskManagerOverview> taskManagers(Endpoint cluster) {
    return answer(List::of);
  }

  @Override
  public ResourceRequirements requirements(Endpoint cluster, String jobId) {
    return answer(() -> new ResourceRequirements(bounds));
  }

  @Override
  public ResourceRequirements require(Endpoint cluster, String jobId, ResourceRequirements wanted) {
    return answer(
        () -> {
          effects.add("require " + wanted.vertices());
          if (noChange != null) {
            throw noChange;
          }
          bounds.putAll(wanted.vertices());
          return wanted;
        });
  }

  @Override
  public Map<String, Vertex> vertices(Endpoint cluster, String jobId) {
    return answer(() -> Map.copyOf(vertices));
  }

  @Override
  public OptionalDouble highest(Endpoint cluster, String jobId, String name) {
    Map<String, Long> all = metrics(cluster, jobId, List.of(name));
    return all.containsKey(name) ? OptionalDouble.of(all.get(name)) : OptionalDouble.empty();
  }
}
