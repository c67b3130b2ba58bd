package dev.sluice.api.bluegreen;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.api.common.JsonRecord;
import dev.sluice.api.common.WithMethods;
import org.jspecify.annotations.Nullable;

/** A transition that was begun and has not ended. */
@JsonRecord
@WithMethods
public record TransitionStatus(
    @JsonPropertyDescription("The child that comes: blue or green.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Color to,
    @JsonPropertyDescription("Generation of the spec that it is made for.")
        @Nullable Long generation,
    @JsonPropertyDescription("When the transition was begun, RFC 3339.") @Nullable String since,
    @JsonPropertyDescription(
            "Where the state of its job comes from: savepoint of the live job, known, spec, or empty.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable TransitionSource source,
    @JsonPropertyDescription("What its job starts from.") @Nullable String savepointPath,
    @JsonPropertyDescription("FlinkStateSnapshot of that savepoint.") @Nullable String snapshot,
    @JsonPropertyDescription("When the new child became live, RFC 3339.")
        @Nullable String switchedAt,
    @JsonPropertyDescription("Hash of the template that it was begun with.")
        @Nullable String template,
    @JsonPropertyDescription(
            "Whether the live job runs until the new one is live: duplicate or exactly-once.")
        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable CutOver cutOver,
    @JsonPropertyDescription("When the live job was told to stop, RFC 3339.")
        @Nullable String stoppingAt,
    @JsonPropertyDescription("When the resource of the live job was suspended for that, RFC 3339.")
        @Nullable String suspendedAt)
    implements TransitionStatusBuilder.With {

  /** Says nothing; a start for the {@code with} methods. */
  public static final TransitionStatus EMPTY =
      new TransitionStatus(null, null, null, null, null, null, null, null, null, null, null);
}
