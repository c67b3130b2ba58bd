package dev.sluice.activities.flink;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
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
  public record Bounds(int lower, int upper) {}

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

  static ResourceRequirements of(FlinkJson answer) {
    SortedMap<String, Bounds> vertices = new TreeMap<>();
    for (Map.Entry<String, JsonNode> vertex : answer.node().properties()) {
      FlinkJson bounds = new FlinkJson(vertex.getValue()).object("parallelism");
      vertices.put(
          vertex.getKey(), new Bounds(bounds.count("lowerBound"), bounds.count("upperBound")));
    }
    return new ResourceRequirements(vertices);
  }

  static Map<String, Vertex> vertices(FlinkJson job) {
    Map<String, Vertex> vertices = new TreeMap<>();
    for (FlinkJson vertex : job.list("vertices", it -> it)) {
      vertices.put(
          vertex.text("id"),
          new Vertex(vertex.count("parallelism"), vertex.countOr("maxParallelism", -1)));
    }
    return vertices;
  }

  ObjectNode toJson() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    vertices.forEach(
        (id, bounds) ->
            body.putObject(id)
                .putObject("parallelism")
                .put("lowerBound", bounds.lower())
                .put("upperBound", bounds.upper()));
    return body;
  }
}
