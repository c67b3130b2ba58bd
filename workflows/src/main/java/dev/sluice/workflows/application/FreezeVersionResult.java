package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The result of freezing a version. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = FreezeVersionResult.Frozen.class, name = "Frozen"),
  @JsonSubTypes.Type(value = FreezeVersionResult.Changed.class, name = "Changed"),
  @JsonSubTypes.Type(value = FreezeVersionResult.Invalid.class, name = "Invalid")
})
public sealed interface FreezeVersionResult {

  /**
   * The newest spec is the target now, or was before.
   *
   * @param record what the status says now
   * @param limits how long its steps may take
   * @param summary one line on what it is, such as {@code flink:1.20, parallelism 2}; no secrets
   */
  record Frozen(ApplicationRecord record, VersionLimits limits, String summary)
      implements FreezeVersionResult {}

  /**
   * There is a newer spec than the one that was planned for: nothing was written.
   *
   * @param generation of the newest spec
   */
  record Changed(long generation) implements FreezeVersionResult {}

  /**
   * The spec cannot be deployed: nothing was written.
   *
   * @param problem why, with the fields' paths
   */
  record Invalid(String problem) implements FreezeVersionResult {}
}
