package dev.sluice.activities.job;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The ids under which one request may trigger a savepoint, all known before the first call: an
 * attempt that comes later finds what an earlier one did.
 */
final class TriggerIds {

  private TriggerIds() {}

  /**
   * 32 hex digits.
   *
   * @param triggerId of the request
   * @param count from 1; the first is the request's own
   */
  static String of(String triggerId, int count) {
    return count == 1
        ? triggerId
        : UUID.nameUUIDFromBytes((triggerId + "/" + count).getBytes(StandardCharsets.UTF_8))
            .toString()
            .replace("-", "");
  }
}
