package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that is taken without a FlinkStateSnapshot: the status of its job's resource has it.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record StatusSnapshot(
    @JsonPropertyDescription("Tells it from the others; a FlinkStateSnapshot would have this name.")
        @Nullable String name,
    @JsonPropertyDescription("MANUAL or PERIODIC.") @Nullable String triggerType,
    @JsonPropertyDescription(
            "CANONICAL or NATIVE; of a checkpoint FULL, CONFIGURED or INCREMENTAL.")
        @Nullable String formatType,
    @JsonPropertyDescription("The nonce that asked for it; absent when it is periodic.")
        @Nullable Long triggerNonce,
    @JsonPropertyDescription("Name of the newest one that a nonce asked for and that was begun.")
        @Nullable String newestManual,
    @JsonPropertyDescription("Name of the newest periodic one that was begun.")
        @Nullable String newestPeriodic,
    @JsonProperty("earlierAttempts")
        @JsonAlias("earlier")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
        @JsonPropertyDescription(
            "Earlier ones that were given up, and may have been completed all the same.")
        List<EarlierTrigger> earlier,
    @JsonPropertyDescription("As the status of a FlinkStateSnapshot.")
        @Nullable SnapshotProgress status) {

  public StatusSnapshot {
    earlier = Json.copyOrEmpty(earlier);
  }

  /** No earlier one is in doubt. */
  public StatusSnapshot(
      @Nullable String name,
      @Nullable String triggerType,
      @Nullable String formatType,
      @Nullable Long triggerNonce,
      @Nullable String newestManual,
      @Nullable String newestPeriodic,
      @Nullable SnapshotProgress status) {
    this(
        name,
        triggerType,
        formatType,
        triggerNonce,
        newestManual,
        newestPeriodic,
        List.of(),
        status);
  }

  /** Whether nothing happens any more. */
  @JsonIgnore
  public boolean hasEnded() {
    return status != null && !status.isOpen();
  }

  /** The same with another status. */
  public StatusSnapshot withStatus(SnapshotProgress next) {
    return new StatusSnapshot(
        name, triggerType, formatType, triggerNonce, newestManual, newestPeriodic, earlier, next);
  }

  /**
   * What the next one has to know of this one, and of those before it: that they may be in
   * progress, or completed, though they were given up. One that was sent to Flink had waited for
   * those before; of one that was given up in doubt it is not known whether it was sent.
   */
  public List<EarlierTrigger> doubt() {
    if (status == null || status.triggerId() == null) {
      return earlier;
    }
    if (!Boolean.TRUE.equals(status.inDoubt())) {
      return List.of();
    }
    List<EarlierTrigger> all = new ArrayList<>(earlier);
    status.earlier().forEach(it -> all.add(of(it.triggerId(), it.triggerTimestamp(), it.jobId())));
    all.add(of(status.triggerId(), status.triggerTimestamp(), status.jobId()));
    return List.copyOf(all.subList(Math.max(0, all.size() - EarlierTrigger.MOST), all.size()));
  }

  private EarlierTrigger of(@Nullable String trigger, @Nullable String at, @Nullable String job) {
    return new EarlierTrigger(name, trigger, at, job);
  }
}
