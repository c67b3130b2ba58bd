package dev.sluice.activities.flink;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sluice.api.common.FlinkVersion;
import java.util.Objects;
import java.util.Optional;

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

  /** Empty when no manifest can name it. */
  public Optional<FlinkVersion> version() {
    String[] parts = flinkVersion.split("[.-]", 3);
    return parts.length < 2
        ? Optional.empty()
        : FlinkVersion.of("v%s_%s".formatted(parts[0], parts[1]));
  }
}
