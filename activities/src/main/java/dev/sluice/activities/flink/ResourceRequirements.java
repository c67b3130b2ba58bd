package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * With how many subtasks an adaptive scheduler may run each vertex of a job.
 *
 * @param vertices by the id of the vertex, all of them
 */
public record ResourceRequirements(Map<String, Bounds> vertices) {

  public ResourceRequirements {
    vertices = Collections.unmodifiableSortedMap(new TreeMap<>(vertices));
  }

  /**
   * @param lower with fewer the job waits, at least 1
   * @param upper as many are used where there are slots
   */
  public record Bounds(
      @JsonProperty("lowerBound") int lower, @JsonProperty("upperBound") int upper) {}

  /**
   * With how many subtasks a vertex runs, by an answer that may be some seconds old.
   *
   * @param parallelism subtasks
   * @param maxParallelism the most that it can ever have; -1 when not known
   */
  public record Vertex(int parallelism, int maxParallelism) {}

  /** The most subtasks of all vertices. */
  public int subtasks() {
    return vertices.values().stream().mapToInt(Bounds::upper).sum();
  }

  private record OfVertex(@JsonProperty(required = true) Bounds parallelism) {}

  @JsonCreator
  static ResourceRequirements of(Map<String, OfVertex> answer) {
    Map<String, Bounds> vertices = new TreeMap<>();
    answer.forEach((id, vertex) -> vertices.put(id, vertex.parallelism));
    return new ResourceRequirements(vertices);
  }

  @JsonValue
  Map<String, OfVertex> json() {
    Map<String, OfVertex> body = new TreeMap<>();
    vertices.forEach((id, bounds) -> body.put(id, new OfVertex(bounds)));
    return body;
  }
}
