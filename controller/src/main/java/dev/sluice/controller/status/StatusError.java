package dev.sluice.controller.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;

/** {@code status.error}, as JSON, as Apache's operator writes it. */
public final class StatusError {

  /** In characters, as in Apache's operator. */
  private static final int LONGEST = 2048;

  private StatusError() {}

  /** What is stalled, or the failure of the job; empty when neither is. */
  public static Optional<String> of(SeenResource seen, List<Condition> conditions) {
    Optional<String> failed =
        seen.job().filter(job -> job.state() == FlinkJobState.FAILED).map(JobWords::job);
    return conditions.stream()
        .filter(c -> c.getType().equals(ConditionTypes.STALLED) && c.getStatus().equals("True"))
        .findFirst()
        .map(
            stalled ->
                text(
                    stalled.getReason(),
                    stalled.getMessage() + failed.map(message -> " " + message).orElse("")))
        .or(() -> failed.map(message -> text(Reasons.JOB_FAILED, message)));
  }

  /** One error. */
  public static String text(String type, String message) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", type)
        .put("message", BoundedText.of(message, LONGEST))
        .toString();
  }
}
