package dev.sluice.activities.status;

import dev.sluice.activities.kubernetes.EffectWindow;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads a resource, decides from it and writes; when somebody else wrote in between (the controller
 * its conditions, say), decides again from the new version.
 */
public final class ConflictRetry {

  private static final int TRIES = 5;
  private static final int CONFLICT = 409;

  private ConflictRetry() {}

  /**
   * @param window the step is not begun after it: what was to be written may be wrong by then
   * @param read asks the API server
   * @param step reads only its argument, and writes onto the very version that was read
   * @throws KubernetesClientException as the last try failed
   */
  public static <R, T> T then(EffectWindow window, Supplier<R> read, Function<R, T> step) {
    for (int tries = 1; ; tries++) {
      try {
        R fresh = read.get();
        window.check();
        return step.apply(fresh);
      } catch (KubernetesClientException failed) {
        if (failed.getCode() != CONFLICT || tries == TRIES) {
          throw failed;
        }
      }
    }
  }
}
