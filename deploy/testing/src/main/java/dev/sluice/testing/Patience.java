package dev.sluice.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * How long tests wait for a condition that becomes true sooner or later: 120 s, times {@code
 * -Dsluice.patience}. A long limit costs nothing when the condition becomes true, and a short one
 * fails on a busy machine.
 *
 * <p>JUnit finds this listener on the class path. Then {@code await()} without {@code atMost} has
 * this limit.
 */
public final class Patience implements LauncherSessionListener {

  private static final String FACTOR = "sluice.patience";
  private static final Duration USUAL = Duration.ofSeconds(120);

  /** For JUnit. */
  public Patience() {}

  /** For what takes longer than other conditions: a multiple of the usual limit. */
  public static Duration times(int usual) {
    return times(usual, System.getProperty(FACTOR, "1"));
  }

  static Duration times(int usual, String factor) {
    double seconds = USUAL.toSeconds() * usual * Double.parseDouble(factor);
    if (!(seconds > 0)) {
      throw new IllegalArgumentException(FACTOR + " must be positive, but is " + factor);
    }
    return Duration.ofMillis((long) (seconds * 1_000));
  }

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    Awaitility.setDefaultTimeout(times(1));
  }
}
