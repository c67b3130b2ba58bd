package dev.sluice.activities.job;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.workflows.activity.JobActivities.StopRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The triggers of one request, whose ids are all known before the first call: an attempt that comes
 * later finds what an earlier one did. Keeps what this attempt did with them.
 */
final class TriggerLog {

  /** A request whose answer was lost may still be on its way to the JobManager for so long. */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(30);

  private final StopRequest request;
  private final Endpoint endpoint;
  private final FlinkRest flink;
  private final int attempt;
  private final Clock clock;
  private @Nullable Instant sent;
  private int inDoubt;

  record Asked(int count, SavepointOperation operation) {}

  /**
   * @param attempt of the activity, from 1: as many triggers may have been used
   */
  TriggerLog(StopRequest request, Endpoint endpoint, FlinkRest flink, int attempt, Clock clock) {
    this.request = request;
    this.endpoint = endpoint;
    this.flink = flink;
    this.attempt = attempt;
    this.clock = clock;
  }

  Clock clock() {
    return clock;
  }

  int attempt() {
    return Math.min(attempt, SavepointStop.TRIGGERS);
  }

  /** 32 hex digits; the first is the request's own. */
  String id(int count) {
    return id(request.triggerId(), count);
  }

  static String id(String first, int count) {
    return count == 1
        ? first
        : UUID.nameUUIDFromBytes((first + "/" + count).getBytes(StandardCharsets.UTF_8))
            .toString()
            .replace("-", "");
  }

  void sent(int count) {
    sent = clock.instant();
    inDoubt = count;
  }

  /** Whether Flink may still get a trigger that was sent. */
  boolean anyInDoubt() {
    return sent != null && inDoubt > 0 && clock.instant().isBefore(sent.plus(ON_ITS_WAY));
  }

  /** {@code " in 0.4 s"}; empty when this attempt did not trigger it. */
  String duration() {
    return sent == null
        ? " taken"
        : String.format(
            Locale.ROOT, " in %.1f s", Duration.between(sent, clock.instant()).toMillis() / 1000.0);
  }

  private SavepointOperation ask(int count) {
    SavepointOperation operation =
        flink.savepointStatus(endpoint, request.job().jobId(), id(count));
    if (count == inDoubt && !(operation instanceof SavepointOperation.Unknown)) {
      inDoubt = 0;
    }
    return operation;
  }

  /**
   * The trigger that counts: one that is in progress or completed, else the first that Flink does
   * not know, else the last, which has failed. Flink forgets an operation some minutes after its
   * end, so that an earlier one may be unknown although a later one is in progress.
   *
   * @param last how many to ask for at most
   */
  Asked newest(int last) {
    Asked unknown = null;
    for (int count = 1; ; count++) {
      Asked asked = new Asked(count, ask(count));
      if (asked.operation() instanceof SavepointOperation.InProgress
          || asked.operation() instanceof SavepointOperation.Completed) {
        return asked;
      }
      if (unknown == null && asked.operation() instanceof SavepointOperation.Unknown) {
        unknown = asked;
      }
      if (count >= last) {
        return unknown == null ? asked : unknown;
      }
    }
  }
}
