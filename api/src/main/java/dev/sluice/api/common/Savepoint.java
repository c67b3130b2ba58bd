package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * A savepoint in a status, as Apache's operator records it: one that an operation stopped a job
 * with, or one that was taken without a FlinkStateSnapshot.
 */
@JsonRecord
public record Savepoint(
    @JsonPropertyDescription("When it was triggered, milliseconds since 1970.") long timeStamp,
    @JsonPropertyDescription("Where it is.") @Nullable String location,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("CANONICAL, NATIVE or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("The nonce that triggered it, when triggered by hand.")
        @Nullable Long triggerNonce) {

  private static final String UPGRADE = "UPGRADE";

  /**
   * One that an operation stopped a job with.
   *
   * @param takenAtMs when that was seen, ms since 1970
   * @param location where it is
   * @param formatType CANONICAL or NATIVE
   */
  public static Savepoint ofOperation(long takenAtMs, String location, String formatType) {
    return new Savepoint(takenAtMs, location, UPGRADE, formatType, null);
  }
}
