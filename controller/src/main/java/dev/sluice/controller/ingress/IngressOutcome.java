package dev.sluice.controller.ingress;

import dev.sluice.controller.common.StatusEvent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What came of an Ingress.
 *
 * @param problem why it is not as the spec says, if that needs action; null when all is well or may
 *     become well by itself
 * @param event what has just happened; null when nothing did
 * @param review when to look again if nothing happens before; null when not
 */
public record IngressOutcome(
    @Nullable Problem problem, @Nullable StatusEvent event, @Nullable Duration review) {

  /** It is as it should be, and was before. */
  public static final IngressOutcome DONE = new IngressOutcome(null, null, null);

  /**
   * @param reason one of {@link dev.sluice.api.condition.Reasons}
   * @param message with what to do
   */
  public record Problem(String reason, String message) {}

  static IngressOutcome changed(StatusEvent event) {
    return new IngressOutcome(null, event, null);
  }

  static IngressOutcome later(Duration after) {
    return new IngressOutcome(null, null, after);
  }

  static IngressOutcome held(String reason, String message, Duration review) {
    return new IngressOutcome(new Problem(reason, message), null, review);
  }
}
