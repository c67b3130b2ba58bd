package dev.sluice.activities.rescale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.flink.ResourceRequirements;
import dev.sluice.activities.flink.ResourceRequirements.Bounds;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import dev.sluice.activities.kubernetes.MadeFor;
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
  private static final long TAKEN_BACK = 0;

  /**
   * One vertex.
   *
   * @param max the most subtasks that it can ever have; -1 when not known
   * @param fixed it once ran with another number than the spec said: the code of the job sets it
   */
  record Noted(int lower, int upper, int max, boolean fixed) {}

  /**
   * How the job runs now.
   *
   * @param ofJob the parallelism of the spec by which it runs
   * @param earlier the note of an earlier spec of the same job, if there is one
   */
  static RescaleNote of(
      String jobId,
      long generation,
      int ofJob,
      ResourceRequirements now,
      Map<String, Vertex> vertices,
      Optional<RescaleNote> earlier) {
    Map<String, Noted> noted = new TreeMap<>();
    now.vertices()
        .forEach(
            (id, bounds) -> {
              Vertex vertex = vertices.get(id);
              noted.put(
                  id,
                  new Noted(
                      bounds.lower(),
                      bounds.upper(),
                      vertex == null ? -1 : vertex.maxParallelism(),
                      bounds.upper() != ofJob || earlier.filter(it -> it.isFixed(id)).isPresent()));
            });
    return new RescaleNote(jobId, generation, noted);
  }

  private boolean isFixed(String vertex) {
    Noted noted = vertices.get(vertex);
    return noted != null && noted.fixed();
  }

  /** What is still worth knowing once all was taken back: it is of no stable spec then. */
  RescaleNote takenBack() {
    return new RescaleNote(jobId, TAKEN_BACK, vertices);
  }

  /** The note of that job and stable spec; empty when there is none. */
  static Optional<RescaleNote> of(HasMetadata deployment, String jobId, long generation) {
    return of(deployment, jobId).filter(it -> it.generation == generation);
  }

  /** The note of that job, whichever spec was stable then; empty when there is none. */
  static Optional<RescaleNote> of(HasMetadata deployment, String jobId) {
    Map<String, String> annotations = deployment.getMetadata().getAnnotations();
    String text = annotations == null ? null : annotations.get(Annotations.RESCALED_FROM);
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(JSON.readValue(text, RescaleNote.class))
              .filter(it -> it.jobId.equals(jobId))
              .filter(it -> MadeFor.jobId(deployment) == null || it.isFor(deployment));
    } catch (JsonProcessingException notOurs) {
      return Optional.empty();
    }
  }

  private boolean isFor(HasMetadata deployment) {
    return jobId.equals(MadeFor.jobId(deployment));
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
