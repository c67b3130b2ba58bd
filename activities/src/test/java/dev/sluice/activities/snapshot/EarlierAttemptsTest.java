package dev.sluice.activities.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.async.WaitHeartbeat;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is believed of the attempts of an activity that a worker may have been lost with. */
class EarlierAttemptsTest {

  /**
   * @param attempt of the activity
   * @param heartbeat what the last one said: nothing was changed, nothing of that, or no heartbeat
   */
  @ParameterizedTest(name = "attempt {0}, heartbeat: {1}")
  @CsvSource({
    "1,none,false",
    "2,none,true", // the worker was lost before its first heartbeat
    "2,acted,true",
    "2,untouched,false",
  })
  void whatTheyMayHaveDone(int attempt, String heartbeat, boolean mayHaveActed) {
    assertThat(EarlierAttempts.mayHaveActed(activity(attempt, heartbeat))).isEqualTo(mayHaveActed);
  }

  private static ActivityExecutionContext activity(int attempt, String heartbeat) {
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
