package dev.sluice.activities.async;

import dev.sluice.activities.async.WaitLoop.Attempt;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One wait in planned time, with a Temporal and a probe that answer what the test wants. */
final class WaitRig {

  static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);
  static final Polling POLLING =
      new Polling(
          Duration.ofMillis(100),
          Duration.ofMillis(400),
          10,
          Duration.ofSeconds(2),
          Duration.ofSeconds(15));

  final PlannedTime time = new PlannedTime();
  final List<Duration> looks = new ArrayList<>();
  final List<Duration> beats = new ArrayList<>();
  final List<WaitHeartbeat> details = new ArrayList<>();
  private final Deque<Look> script = new ArrayDeque<>();
  private Look last = new Look(Duration.ZERO, () -> ProbeResult.notYet("nothing"));
  private Duration spent = Duration.ZERO;
  private WaitReporter reporter = WaitReporter.NONE;
  private UnaryOperator<Wait<String>> more = UnaryOperator.identity();
  private Runnable onLook = () -> {};
  private boolean acts;

  /** What Temporal answers to heartbeats; null: it acknowledges them. */
  @Nullable RuntimeException onHeartbeat;

  /** The guard that the last look was given. */
  ActGuard guard = () -> false;

  @Nullable WaitLoop<String> loop;
  @Nullable String result;
  @Nullable RuntimeException thrown;

  private record Look(Duration takes, Supplier<ProbeResult<String>> sees) {}

  /** The next looks see these, one each; the last stays. */
  @SafeVarargs
  final WaitRig seeing(ProbeResult<String>... outcomes) {
    for (ProbeResult<String> outcome : outcomes) {
      script.add(new Look(Duration.ZERO, () -> outcome));
    }
    return this;
  }

  /** The next look takes that long. */
  WaitRig looking(Duration takes, ProbeResult<String> outcome) {
    script.add(new Look(takes, () -> outcome));
    return this;
  }

  /** The next looks fail with this. */
  WaitRig failing(int times, RuntimeException why) {
    Look failing =
        new Look(
            Duration.ZERO,
            () -> {
              throw why;
            });
    script.addAll(Collections.nCopies(times, failing));
    return this;
  }

  /** Runs at the end of each look. */
  WaitRig onLook(Runnable task) {
    onLook = task;
    return this;
  }

  /** Earlier attempts of the activity took this long. */
  WaitRig spent(Duration earlier) {
    spent = earlier;
    return this;
  }

  /** The probe changes something. */
  WaitRig acting() {
    acts = true;
    return this;
  }

  /** Long waits are reported here. */
  WaitRig reporting(WaitReporter to) {
    reporter = to;
    return this;
  }

  /** With more of the wait set. */
  WaitRig with(UnaryOperator<Wait<String>> change) {
    more = change;
    return this;
  }

  /** Temporal does not acknowledge heartbeats from then on, to then. */
  WaitRig away(Duration from, Duration to) {
    time.at(from, () -> onHeartbeat = new IllegalStateException("UNAVAILABLE"));
    time.at(to, () -> onHeartbeat = null);
    return this;
  }

  /** Waits until it ends; {@link #result} or {@link #thrown} says how. */
  WaitRig run(Duration atMost) {
    long deadlineMs = atMost.minus(WaitLoop.MARGIN).toMillis();
    Wait<String> wait =
        more.apply(
            (acts
                    ? Wait.acting(
                        "default/orders",
                        "all tasks of default/orders to run",
                        deadlineMs,
                        this::probe)
                    : Wait.of(
                        "default/orders",
                        "all tasks of default/orders to run",
                        deadlineMs,
                        () -> probe(() -> false)))
                .polling(POLLING));
    Attempt attempt =
        new Attempt(
            this::heartbeat,
            HEARTBEAT_TIMEOUT,
            spent,
            new WaitReporter.Waiting("run-1", "AwaitVersion", Instant.EPOCH));
    loop = new WaitLoop<>(wait, attempt, time, reporter, this::execute);
    try {
      result = loop.run();
    } catch (RuntimeException e) {
      thrown = e;
    }
    return this;
  }

  /** Waits until it is handed over at that time. */
  WaitRig runUntil(Duration end) {
    time.at(end, () -> loop().handOver());
    return run(Duration.ofHours(1));
  }

  WaitLoop<String> loop() {
    if (loop == null) {
      throw new IllegalStateException("not started");
    }
    return loop;
  }

  ApplicationFailure failure() {
    if (thrown instanceof ApplicationFailure failure) {
      return failure;
    }
    throw new AssertionError("no failure but " + thrown + ", " + result);
  }

  private void heartbeat(WaitHeartbeat shown) {
    if (onHeartbeat != null) {
      throw onHeartbeat;
    }
    beats.add(time.now());
    details.add(shown);
  }

  /** A look, which may take time; or a report, which is made at once. */
  private void execute(Runnable task) {
    if (!(task instanceof FutureTask)) {
      task.run();
      return;
    }
    looks.add(time.now());
    if (!script.isEmpty()) {
      last = script.remove();
    }
    if (last.takes().isZero()) {
      task.run();
    } else {
      time.at(time.now().plus(last.takes()), task);
    }
  }

  private ProbeResult<String> probe(ActGuard given) {
    guard = given;
    onLook.run();
    return last.sees().get();
  }
}
