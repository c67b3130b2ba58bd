package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.WaitHeartbeat;
import dev.sluice.activities.support.Jobs;
import dev.sluice.workflows.snapshot.SnapshotActivities.TakeRequest;
import dev.sluice.workflows.snapshot.SnapshotActivities.Trigger;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is believed of the attempts of an activity that a worker may have been lost with. */
class EarlierAttemptsTest {

  private static final long RECORDED_AT = 1_795_248_000_123L;

  /**
   * @param attempt of the activity
   * @param recordedFor how long before the activity was scheduled its trigger was recorded, in ms
   * @param heartbeat what the last one said: nothing was changed, nothing of that, or no heartbeat
   */
  @ParameterizedTest(name = "attempt {0}, recorded for {1} ms, may trigger: {2}, heartbeat: {3}")
  @CsvSource({
    "1,0,true,none,false,true",
    "1,9999,true,none,false,true",
    "1,10000,true,none,false,false", // a run before may have sent it
    "1,0,false,none,false,false", // a last look is for what was sent
    "2,0,true,none,true,false", // the worker was lost before its first heartbeat
    "2,0,true,acted,true,false",
    "2,0,true,untouched,false,true", // it queued
    "3,60000,false,untouched,false,true",
  })
  void whatTheyMayHaveDone(
      int attempt,
      long recordedFor,
      boolean mayTrigger,
      String heartbeat,
      boolean mayHaveActed,
      boolean triggeredNothing) {
    ActivityExecutionContext activity = activity(attempt, RECORDED_AT + recordedFor, heartbeat);
    TakeRequest request =
        new TakeRequest(
            Jobs.RESOURCE,
            new Trigger("00000000000000000000000000000001", Jobs.JOB.jobId(), RECORDED_AT),
            List.of(),
            mayTrigger,
            0);

    assertThat(EarlierAttempts.mayHaveActed(activity)).isEqualTo(mayHaveActed);
    assertThat(EarlierAttempts.triggeredNothing(activity, request)).isEqualTo(triggeredNothing);
  }

  private static ActivityExecutionContext activity(int attempt, long scheduled, String heartbeat) {
    Optional<WaitHeartbeat> details =
        heartbeat.equals("none")
            ? Optional.empty()
            : Optional.of(new WaitHeartbeat("progress", 0, heartbeat.equals("untouched")));
    ActivityInfo info =
        answering(
            ActivityInfo.class,
            method ->
                switch (method) {
                  case "getAttempt" -> attempt;
                  case "getScheduledTimestamp" -> scheduled;
                  default -> throw new UnsupportedOperationException(method);
                });
    return answering(
        ActivityExecutionContext.class,
        method ->
            switch (method) {
              case "getInfo" -> info;
              case "getHeartbeatDetails" -> details;
              default -> throw new UnsupportedOperationException(method);
            });
  }

  private interface Answers {
    @Nullable Object to(String method);
  }

  private static <T> T answering(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.to(method.getName())));
  }
}
