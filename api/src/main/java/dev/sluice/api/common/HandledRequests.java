package dev.sluice.api.common;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/**
 * Values of the request annotations that were already turned into signals, so that each is answered
 * once. Written by the controller only.
 */
@JsonRecord
@WithMethods
public record HandledRequests(
    @JsonPropertyDescription("Last value of sluice.dev/abort that was handled.")
        @Nullable String abort,
    @JsonPropertyDescription("Last value of sluice.dev/retry that was handled.")
        @Nullable String retry,
    @JsonPropertyDescription("Last value of sluice.dev/rollback that was handled.")
        @Nullable String rollback)
    implements HandledRequestsBuilder.With {

  /** Nothing was ever asked for. */
  public static final HandledRequests NONE = new HandledRequests(null, null);

  /** Only these were ever asked for. */
  public HandledRequests(@Nullable String abort, @Nullable String retry) {
    this(abort, retry, null);
  }
}
