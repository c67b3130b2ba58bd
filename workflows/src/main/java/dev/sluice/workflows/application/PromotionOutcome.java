package dev.sluice.workflows.application;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** Whether the target, running next to the deployed version, has proved itself. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = PromotionOutcome.Passed.class, name = "Passed"),
  @JsonSubTypes.Type(value = PromotionOutcome.Failed.class, name = "Failed"),
  @JsonSubTypes.Type(value = PromotionOutcome.Waiting.class, name = "Waiting")
})
public sealed interface PromotionOutcome {

  /**
   * It has.
   *
   * @param why in words: {@code 5 min without a restart, 3 checkpoints}
   */
  record Passed(String why) implements PromotionOutcome {}

  /**
   * Its job has ended, and not by finishing. Both versions stay.
   *
   * @param why in words
   */
  record Failed(String why) implements PromotionOutcome {}

  /**
   * Not until the deadline.
   *
   * @param why in words
   */
  record Waiting(String why) implements PromotionOutcome {}
}
