package dev.sluice.api.common;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keys by which a Flink configuration says what a job starts from, and who owns that. Sluice
 * decides both: state that was not chosen must not be restored, and a job that owned what it
 * started from would delete what an abort or a rollback goes back to.
 */
public final class RestoreKeys {

  /** From which savepoint or checkpoint, under its names. */
  public static final List<String> PATHS =
      List.of("execution.state-recovery.path", "execution.savepoint.path");

  /** Who owns it, under its names. */
  public static final List<String> CLAIM_MODES =
      List.of("execution.state-recovery.claim-mode", "execution.savepoint-restore-mode");

  /** Flink deletes nothing that a job started from. */
  public static final String NO_CLAIM = "NO_CLAIM";

  /** All of them. */
  public static final Set<String> ALL =
      Stream.of(PATHS, CLAIM_MODES).flatMap(List::stream).collect(Collectors.toUnmodifiableSet());

  private RestoreKeys() {}
}
