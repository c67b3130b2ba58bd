package dev.sluice.activities.rescale;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import dev.sluice.api.Annotations;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was required of Flink before a job was scaled, noted on its JobManager Deployment: Flink
 * itself does not remember it, and which vertices follow the parallelism of the spec can be told
 * before the first change only.
 *
 * @param jobId the job
 * @param generation the spec that was stable then
 * @param vertices what was required of each vertex, by its id
 */
record RescaleNote(String jobId, long generation, Map<String, Noted> vertices) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * One vertex.
   *
   * @param max the most subtasks that it can ever have; -1 when not known
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Noted(int lower, int upper, int max) {}

  /**
   * How the job runs now.
   *
   * @param generation of the spec by which it runs
   */
  static RescaleNote of(
      String jobId, long generation, ResourceRequirements now, Map<String, Vertex> vertices) {
    Map<String, Noted> noted = new TreeMap<>();
    now.vertices()
        .forEach(
            (id, bounds) -> {
              Vertex vertex = vertices.get(id);
              int max = vertex == null ? -1 : vertex.maxParallelism();
              noted.put(id, new Noted(bounds.lower(), bounds.upper(), max));
            });
    return new RescaleNote(jobId, generation, noted);
  }

  /** The note of that job and stable spec; empty when there is none. */
  static Optional<RescaleNote> of(HasMetadata deployment, String jobId, long generation) {
    String text = Annotations.of(deployment, Annotations.RESCALED_FROM);
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(JSON.readValue(text, RescaleNote.class))
              .filter(it -> it.jobId.equals(jobId) && it.generation == generation);
    } catch (JsonProcessingException notOurs) {
      return Optional.empty();
    }
  }

  ResourceRequirements requirements() {
    Map<String, Bounds> bounds = new TreeMap<>();
    vertices.forEach((id, it) -> bounds.put(id, new Bounds(it.lower(), it.upper())));
    return new ResourceRequirements(bounds);
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A record is always JSON", e);
    }
  }
}
