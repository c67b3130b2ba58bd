package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.activities.flink.ResourceRequirements.Vertex;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers of Flink as they come, where callers get only a part. */
final class Answers {

  private Answers() {}

  record TaskManagers(@JsonProperty(required = true) List<TaskManagerOverview> taskmanagers) {

    TaskManagers {
      taskmanagers = List.copyOf(taskmanagers);
    }
  }

  record JobPlan(@JsonProperty(required = true) Type plan) {

    record Type(@Nullable String type) {}

    JobType jobType() {
      return JobType.BATCH.name().equals(plan.type) ? JobType.BATCH : JobType.STREAMING;
    }
  }

  record Job(@JsonProperty(required = true) List<JobVertex> vertices) {

    Job {
      vertices = List.copyOf(vertices);
    }

    record JobVertex(
        @JsonProperty(required = true) String id,
        int parallelism,
        @Nullable Integer maxParallelism) {

      Vertex vertex() {
        return new Vertex(parallelism, Objects.requireNonNullElse(maxParallelism, -1));
      }
    }
  }

  /**
   * A metric; those that a job does not have are left out.
   *
   * @param value null in the list of the names that there are
   */
  record Metric(
      @JsonProperty(required = true) String id, @JsonAlias("max") @Nullable String value) {

    /** Empty for what is no finite number. */
    OptionalDouble number() {
      try {
        double number = Double.parseDouble(Objects.requireNonNullElse(value, ""));
        return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
      } catch (NumberFormatException noNumber) {
        return OptionalDouble.empty();
      }
    }
  }

  /**
   * What became of an asynchronous operation: {@code {"status": {"id": "IN_PROGRESS"}}}, or
   * COMPLETED with a result or the reason why there is none.
   */
  record Operation(@JsonProperty(required = true) Status status, @Nullable Result operation) {

    record Status(@JsonProperty(required = true) String id) {}

    /** Of a savepoint or a stop the location, of a checkpoint its id, of a disposal nothing. */
    record Result(
        @JsonProperty("failure-cause") @JsonAlias("failureCause") @Nullable Failure failure,
        @Nullable String location,
        @Nullable Long checkpointId) {}

    record Failure(@JsonProperty(value = "stack-trace", required = true) String trace) {}

    <T> T read(T inProgress, Function<FlinkCause, T> failed, Function<Result, T> completed) {
      if (!status.id.equals("COMPLETED")) {
        return inProgress;
      }
      Result result = Objects.requireNonNull(operation, "field 'operation' is not there");
      return result.failure == null
          ? completed.apply(result)
          : failed.apply(StackTrace.shorten(result.failure.trace));
    }
  }
}
