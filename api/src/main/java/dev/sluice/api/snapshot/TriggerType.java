package dev.sluice.api.snapshot;

import java.util.Locale;
import java.util.Set;

/**
 * Why there is a snapshot: the values of label {@code snapshot.trigger-type} that Sluice writes.
 */
public enum TriggerType {
  /** Somebody asked for it: by a resource of their own, or by a nonce. */
  MANUAL,
  /** Its time had come. */
  PERIODIC,
  /** An operation stopped the job with it: an upgrade, a suspension, a rollback or a deletion. */
  UPGRADE;

  /** Those that count for the history, and go when it has no place for them. */
  public static final Set<TriggerType> OF_HISTORY = Set.of(PERIODIC, UPGRADE);

  /** As in names: {@code periodic}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
