package dev.sluice.controller.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.common.BoundedText;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code status.error}, as JSON, as Apache's operator writes it. */
public final class StatusError {

  /** In characters, as in Apache's operator. */
  private static final int LONGEST = 2048;

  private static final JsonMapper JSON = new JsonMapper();

  private StatusError() {}

  /** What is stalled, or the failure of the job; empty when neither is. */
  public static Optional<String> of(SeenResource seen, List<Condition> conditions) {
    return of(seen, conditions, null, null);
  }

  /**
   * The error of a resource. The failure of a job stays in it until another job is shown, because
   * Flink cannot be asked once the JobManager is stopped.
   *
   * @param shown the job status that is published with it
   * @param last the error as it stands
   */
  public static Optional<String> of(
      SeenResource seen,
      List<Condition> conditions,
      @Nullable JobStatus shown,
      @Nullable String last) {
    Optional<String> failed =
        seen.job().isPresent()
            ? seen.job().filter(job -> job.state() == FlinkJobState.FAILED).map(JobWords::job)
            : remembered(shown, last);
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

  /** That the JobManager is missing; empty where it is not. */
  public static Optional<String> missing(List<Condition> conditions) {
    return conditions.stream()
        .filter(c -> c.getType().equals(ConditionTypes.RUNNING))
        .filter(c -> c.getReason().equals(Reasons.JOB_MANAGER_MISSING))
        .map(c -> text(c.getReason(), c.getMessage()))
        .findFirst();
  }

  private static Optional<String> remembered(@Nullable JobStatus shown, @Nullable String last) {
    if (shown == null || last == null || shown.state() != FlinkJobState.FAILED) {
      return Optional.empty();
    }
    try {
      String message = JSON.readTree(last).path("message").asText();
      int from = message.lastIndexOf(JobWords.failedPrefix(shown.jobId()));
      return from < 0 ? Optional.empty() : Optional.of(message.substring(from));
    } catch (JsonProcessingException unreadable) {
      return Optional.empty(); // somebody has edited the status
    }
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
