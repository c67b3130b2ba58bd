package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * {@code GET /overview}: which Flink it is, and how much room there is.
 *
 * @param flinkCommit empty when it does not say
 */
public record ClusterOverview(
    @JsonProperty(value = "flink-version", required = true) String flinkVersion,
    @JsonProperty("flink-commit") String flinkCommit,
    @JsonProperty("taskmanagers") int taskManagers,
    @JsonProperty("slots-total") int slotsTotal) {

  public ClusterOverview {
    flinkCommit = Objects.requireNonNullElse(flinkCommit, "");
  }
}
