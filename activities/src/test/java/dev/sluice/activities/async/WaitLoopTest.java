package dev.sluice.activities.async;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.activities.async.WaitLoop.Moment;
import dev.sluice.activities.support.Jobs;
import dev.sluice.workflows.activity.FailureType;
import io.temporal.activity.ActivityInfo;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitLoopTest {

  private static final Duration HEARTBEAT_TIMEOUT = ofSeconds(30);
  private static final ProbeResult<String> UP = ProbeResult.done("up");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong passed = new AtomicLong();
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger effects = new AtomicInteger();
  private final AtomicInteger unheard = new AtomicInteger(); // heartbeats between two looks
  private final List<Watcher.Heartbeat> beats = new CopyOnWriteArrayList<>();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private volatile @Nullable RuntimeException onHeartbeat;
  private volatile boolean looking;
  private volatile Duration timeout = HEARTBEAT_TIMEOUT;
  private volatile @Nullable WaitLoop<String> loop;
  private Duration earlier = Duration.ZERO;
  private boolean acts;
  private UnaryOperator<Wait<String>> more = UnaryOperator.identity();
  private WaitReporter reporter = (resource, waiting, text) -> reports.add(waiting.runId() + text);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private Moment now() {
    return new Moment(System.nanoTime() + passed.get(), passed.get() / 1_000_000);
  }

  private void pass(Duration time) {
    passed.addAndGet(time.toNanos());
  }

  /** Waits for five minutes; the probe is given the number of the look, from 1. */
  private @Nullable String run(IntFunction<ProbeResult<String>> probe) {
    Wait.Probe<String> look =
        guard -> {
          looking = true;
          ProbeResult<String> seen = probe.apply(looks.incrementAndGet());
          if (guard.mayAct()) {
            effects.incrementAndGet();
          }
          looking = false;
          return seen;
        };
    long deadlineMs = ofMinutes(5).minus(WaitLoop.MARGIN).toMillis();
    Wait<String> wait =
        acts
            ? Wait.acting("default/orders", "all tasks to run", deadlineMs, look)
            : Wait.of("default/orders", "all tasks to run", deadlineMs, () -> look.look(loop()));
    loop =
        new WaitLoop<>(
            more.apply(wait.every(ofMillis(1), ofMillis(2))),
            info(),
            this::heartbeat,
            this::now,
            reporter,
            threads);
    return loop().run();
  }

  private WaitLoop<String> loop() {
    WaitLoop<String> it = loop;
    if (it == null) {
      throw new IllegalStateException("not started");
    }
    return it;
  }

  private ApplicationFailure failure(IntFunction<ProbeResult<String>> probe) {
    return catchThrowableOfType(ApplicationFailure.class, () -> run(probe));
  }

  private void heartbeat(Watcher.Heartbeat beat) {
    if (onHeartbeat != null) {
      unheard.addAndGet(looking ? 0 : 1);
      throw onHeartbeat;
    }
    beats.add(beat);
  }

  /** Lets the time of the next heartbeat come. */
  private boolean wasUnheard() {
    pass(ofSeconds(3));
    return unheard.get() > 0;
  }

  private ActivityInfo info() {
    return (ActivityInfo)
        Proxy.newProxyInstance(
            ActivityInfo.class.getClassLoader(),
            new Class<?>[] {ActivityInfo.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getHeartbeatTimeout" -> timeout;
                  case "getScheduledTimestamp" -> 0L;
                  case "getCurrentAttemptScheduledTimestamp" -> earlier.toMillis();
                  case "getRunId" -> "run-1: ";
                  default -> "AwaitRunning";
                });
  }

  private static ProbeResult<String> later(String progress) {
    return ProbeResult.notYet(progress);
  }

  @Test
  void theFirstLookThatDecidesEndsIt() {
    assertThat(run(look -> look < 3 ? later(look + " of 3") : UP)).isEqualTo("up");
    assertThat(looks).hasValue(3);
    assertThat(beats).as("of a short wait that only looks").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFailedLookFailsTheActivityWithItsType(boolean retryable) {
    ApplicationFailure failure =
        failure(look -> new ProbeResult.Failed<>("JobFailed", "out of memory", retryable));

    assertThat(failure.getType()).isEqualTo("JobFailed");
    assertThat(failure.getOriginalMessage()).isEqualTo("out of memory");
    assertThat(failure.isNonRetryable()).isEqualTo(!retryable);
  }

  @ParameterizedTest
  @CsvSource({"0, 200", "1, 220", "4, 293", "25, 2000", "100000, 2000"})
  void theGapGrowsWhileNothingChanges(int unchanged, long millis) {
    assertThat(new Wait.Pace(ofMillis(200), ofSeconds(2)).gap(unchanged).toMillis())
        .isEqualTo(millis);
  }

  @Test
  void aLookThatHangsIsGivenUpAfterTheEndOfTheWait() {
    acts = true;
    timeout = Duration.ZERO;

    ApplicationFailure failure =
        failure(
            look -> {
              pass(ofMinutes(6));
              return ended() ? UP : later("never");
            });

    assertThat(failure.getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(effects).hasValue(0);
  }

  private boolean ended() {
    try {
      return !new CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.HOURS);
    } catch (InterruptedException givenUp) {
      return true;
    }
  }

  @Test
  void looksThatCannotTellAreNoFailure() {
    assertThat(
            run(
                look -> {
                  if (look < 20) {
                    throw look == 1 ? new NullPointerException() : new IllegalStateException();
                  }
                  return UP;
                }))
        .isEqualTo("up");
  }

  @Test
  void aFailureOfALookThatIsNotRetryableIsOne() {
    ApplicationFailure thrown = ApplicationFailure.newNonRetryableFailure("no job", "Outdated");

    assertThat(
            failure(
                look -> {
                  throw thrown;
                }))
        .isSameAs(thrown);
  }

  @Test
  void theDeadlineCountsEarlierAttemptsAndSaysWhatWasSeenLast() {
    earlier = ofMinutes(4);

    ApplicationFailure failure =
        failure(
            look -> {
              pass(ofSeconds(21));
              if (look == 1) {
                return later("5 of 8");
              }
              throw new IllegalStateException("connection refused");
            });

    assertThat(looks).hasValue(3);
    assertThat(failure.getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getOriginalMessage())
        .isEqualTo(
            "waited too long for all tasks to run; last seen: 5 of 8; no answer since: connection refused");
  }

  @Test
  void anAttemptThatComesTooLateLooksOnce() {
    earlier = ofMinutes(60);

    assertThat(run(look -> UP)).isEqualTo("up");
  }

  @Test
  void theDeadlineIsLaterByTheExtensionWhichHeartbeatsKeep() {
    more = wait -> wait.extendedBy(() -> ofMinutes(3).toMillis());
    acts = true;
    timeout = Duration.ZERO;

    ApplicationFailure failure =
        failure(
            look -> {
              pass(ofMinutes(1));
              return later("queued");
            });

    assertThat(failure.getType()).isEqualTo(FailureType.TIMED_OUT);
    assertThat(beats.get(0).extendedMs()).isEqualTo(ofMinutes(3).toMillis());
    assertThat(beats).hasSizeGreaterThan(6);
  }

  @Test
  void halfAMinuteOfRefusalsFailsIt() {
    ApplicationFailure failure =
        failure(
            look -> {
              pass(ofSeconds(11));
              if (look == 2) {
                return later("one that passes begins anew");
              }
              throw ApplicationFailure.newFailure("pods is forbidden", FailureType.REFUSED);
            });

    assertThat(looks).hasValue(6);
    assertThat(failure.getType()).isEqualTo(FailureType.REFUSED);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getOriginalMessage())
        .isEqualTo("waiting for all tasks to run: pods is forbidden");
  }

  @Test
  void aStoppingWorkerEndsItRetryablyAlsoDuringALook() {
    ApplicationFailure failure =
        failure(
            look -> {
              loop().handOver();
              return ended() ? UP : later("never");
            });

    assertThat(failure.getType()).isEqualTo(Watcher.HANDED_OVER);
    assertThat(failure.isNonRetryable()).isFalse();
  }

  @Test
  void aLongWaitIsReportedWhenItsProgressHasChanged() {
    more = wait -> wait.reportingTo(Jobs.RESOURCE);
    WaitReporter all = reporter;
    reporter =
        (resource, waiting, text) -> {
          all.report(resource, waiting, text);
          throw new IllegalStateException("API server away");
        };
    String unused =
        run(
            look -> {
              pass(ofSeconds(6)); // 6, 12, ...
              return look == 10 ? UP : later(look < 8 ? "look " + look : "the same");
            });

    await().untilAsserted(() -> assertThat(reports).hasSize(3));
    assertThat(reports)
        .containsExactlyInAnyOrder("run-1: look 2", "run-1: look 5", "run-1: the same");
  }

  @Test
  void nothingIsChangedBeforeTheFirstHeartbeatIsAcknowledged() {
    acts = true;
    onHeartbeat = new IllegalStateException("UNAVAILABLE");

    String unused =
        run(
            look -> {
              if (look == 5) {
                onHeartbeat = null;
                pass(ofSeconds(4));
              }
              return look == 7 ? UP : later("it");
            });

    assertThat(effects.get()).as("of seven looks").isBetween(1, 3);
  }

  @Test
  void aSlowLookDoesNotDelayHeartbeats() {
    acts = true;

    String unused =
        run(
            look -> {
              for (int i = 0; i < 4; i++) {
                int before = beats.size();
                pass(ofSeconds(16));
                await().until(() -> beats.size() > before);
              }
              return UP;
            });

    assertThat(effects).hasValue(1);
  }

  @Test
  void anAnswerThatTheActivityIsOverEndsIt() {
    for (RuntimeException over :
        List.of(new ActivityCanceledException(), new ActivityNotExistsException("gone", null))) {
      onHeartbeat = over;

      assertThat(
              catchThrowable(
                  () ->
                      run(
                          look -> {
                            pass(ofSeconds(16));
                            return ended() ? UP : later("never");
                          })))
          .isSameAs(over);
      assertThat(loop().mayAct()).isFalse();
    }
  }

  @Test
  void aPauseOrResetFailsItRetryably() {
    acts = true;
    for (RuntimeException from :
        List.of(new ActivityPausedException(), new ActivityResetException())) {
      onHeartbeat = from;

      ApplicationFailure failure = failure(look -> UP);

      assertThat(failure.getType()).isEqualTo(Watcher.INTERRUPTED);
      assertThat(failure.isNonRetryable()).isFalse();
    }
  }

  /** The look began before the silence; when it ends, another attempt may have begun. */
  @Test
  void withoutHeartbeatsItNeitherActsNorClaimsAResultBeforeTheTimeoutIsOver() {
    acts = true;

    String result =
        run(
            look -> {
              if (look > 1) {
                return ProbeResult.done("seen after the silence");
              }
              onHeartbeat = new IllegalStateException("UNAVAILABLE");
              pass(ofSeconds(26));
              threads.execute(
                  () -> {
                    await().until(this::wasUnheard);
                    onHeartbeat = null;
                    pass(ofSeconds(10));
                  });
              return ProbeResult.done("seen in the silence");
            });

    assertThat(result).isEqualTo("seen after the silence");
    assertThat(effects).as("the second look's").hasValue(1);
  }

  @Test
  void anActivityWithoutHeartbeatTimeoutKeepsItsLease() {
    timeout = Duration.ZERO;

    String unused =
        run(
            look -> {
              pass(ofMinutes(4));
              return UP;
            });

    assertThat(effects).hasValue(1);
  }

  @Test
  void theClockByWhichMoreTimeHasPassedIsBelieved() {
    Moment then = new Moment(0, 0);

    assertThat(new Moment(5_000_000, 0).since(then)).isEqualTo(ofMillis(5));
    assertThat(new Moment(0, 7).since(then)).isEqualTo(ofMillis(7));
  }
}
