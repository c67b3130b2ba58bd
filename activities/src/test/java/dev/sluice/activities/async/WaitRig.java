package dev.sluice.activities.async;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** One wait on a manual loop, with a probe that answers what the test wants. */
final class WaitRig {

  static final WaitReporter.Waiting WAITING =
      new WaitReporter.Waiting("run-1", "AwaitVersion", Instant.EPOCH);
  static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(30);
  static final Polling POLLING =
      new Polling(
          Duration.ofMillis(100),
          Duration.ofMillis(400),
          10,
          Duration.ofSeconds(2),
          Duration.ofSeconds(15));

  final ManualLoop loop = new ManualLoop();
  final FakeTemporal temporal = new FakeTemporal();
  final List<Duration> looks = new ArrayList<>();
  final List<PendingWait<?>> gone = new ArrayList<>();
  private final Deque<CompletableFuture<ProbeResult<String>>> script = new ArrayDeque<>();
  private CompletableFuture<ProbeResult<String>> last = answer(ProbeResult.notYet("nothing"));
  private Executor threads = Runnable::run;
  private Duration spent = Duration.ZERO;
  private WaitReporter reporter = WaitReporter.NONE;
  private UnaryOperator<Wait<String>> more = UnaryOperator.identity();
  private boolean acts;

  /** The guard that the last look was given. */
  ActGuard guard = () -> false;

  static CompletableFuture<ProbeResult<String>> answer(ProbeResult<String> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }

  /** The next looks see these, one each; the last stays. */
  @SafeVarargs
  final WaitRig seeing(ProbeResult<String>... outcomes) {
    for (ProbeResult<String> outcome : outcomes) {
      script.add(answer(outcome));
    }
    return this;
  }

  /** The next look is this future. */
  WaitRig looking(CompletableFuture<ProbeResult<String>> future) {
    script.add(future);
    return this;
  }

  /** The next looks fail. */
  WaitRig failing(int times, String why) {
    return failing(times, new IllegalStateException(why));
  }

  /** The next looks fail with this. */
  WaitRig failing(int times, RuntimeException why) {
    for (int i = 0; i < times; i++) {
      script.add(CompletableFuture.failedFuture(why));
    }
    return this;
  }

  /** Calls to Temporal run here instead of at once. */
  WaitRig calling(Executor executor) {
    threads = executor;
    return this;
  }

  /** Earlier attempts of the activity took this long. */
  WaitRig spent(Duration time) {
    spent = time;
    return this;
  }

  /** The probe changes something. */
  WaitRig acting() {
    acts = true;
    return this;
  }

  /** Long waits are told here. */
  WaitRig reporting(WaitReporter to) {
    reporter = to;
    return this;
  }

  /** With more said of the wait. */
  WaitRig with(UnaryOperator<Wait<String>> change) {
    more = change;
    return this;
  }

  PendingWait<String> start(Duration atMost) {
    Wait<String> wait =
        more.apply(
            (acts
                    ? Wait.acting(
                        "default/orders", "all tasks of default/orders to run", atMost, this::probe)
                    : Wait.of(
                        "default/orders",
                        "all tasks of default/orders to run",
                        atMost,
                        () -> probe(() -> false)))
                .polling(POLLING));
    ActivityTask task =
        new ActivityTask(temporal.client(), new byte[] {1}, WAITING, HEARTBEAT_TIMEOUT, spent);
    PendingWait<String> open = new PendingWait<>(wait, task, services(), gone::add);
    open.start();
    loop.settle();
    return open;
  }

  private WatcherServices services() {
    return new WatcherServices(loop, new Calls(threads, loop), reporter, Runnable::run, () -> 0);
  }

  private CompletableFuture<ProbeResult<String>> probe(ActGuard given) {
    guard = given;
    looks.add(loop.now());
    if (!script.isEmpty()) {
      last = script.remove();
    }
    return last;
  }
}
