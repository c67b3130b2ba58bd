package dev.sluice.api.snapshot;

import java.util.Locale;

/**
 * Why there is a snapshot: the values of label {@code snapshot.trigger-type} that Sluice writes.
 */
public enum TriggerType {
  /** Somebody asked for it: by a resource of their own, or by a nonce. */
  MANUAL,
  /** Its time had come. */
  PERIODIC;

  /** As in names: {@code periodic}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
