package dev.sluice.workflows.operation;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ids that Flink takes from its callers, so that a call made twice has the effect of one. */
public final class Ids {

  private Ids() {}

  /**
   * The id of what takes the place of something: the same for a call made twice, and never that of
   * what it replaces.
   *
   * @param replaced id of the existing one; null when there is none
   */
  public static String after(String runId, String purpose, @Nullable String replaced) {
    return derive(runId, replaced == null ? purpose : purpose + '/' + replaced, 1);
  }

  /**
   * 32 hex digits (the form of Flink's job and trigger ids) derived from the run.
   *
   * @param runId Temporal's run id
   * @param purpose e.g. {@code job} or {@code stop}
   * @param count how often this run has needed an id for that purpose
   */
  public static String derive(String runId, String purpose, int count) {
    String name = runId + '/' + purpose + '/' + count;
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))
        .toString()
        .replace("-", "");
  }
}
