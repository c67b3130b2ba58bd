package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Savepoints as Apache's operator records them where there is no FlinkStateSnapshot. Written by the
 * workflows of snapshots only.
 */
@JsonRecord
public record SavepointInfo(
    @JsonPropertyDescription("The last one completed.") @Nullable Savepoint lastSavepoint,
    @JsonPropertyDescription("Trigger id of a pending one.") @Nullable String triggerId,
    @JsonPropertyDescription("When the pending one was triggered, milliseconds since 1970.")
        @Nullable Long triggerTimestamp,
    @JsonPropertyDescription("MANUAL, PERIODIC, UPGRADE or UNKNOWN.") @Nullable String triggerType,
    @JsonPropertyDescription("CANONICAL, NATIVE or UNKNOWN.") @Nullable String formatType,
    @JsonPropertyDescription("Recent ones.") List<Savepoint> savepointHistory,
    @JsonPropertyDescription("When the last periodic one was triggered, milliseconds since 1970.")
        long lastPeriodicSavepointTimestamp) {

  /** More savepoints the history never has, so that a status does not grow too large. */
  public static final int LONGEST_HISTORY = 200;

  public SavepointInfo {
    savepointHistory = Json.copyOrEmpty(savepointHistory);
  }
}
