package dev.sluice.activities.async;

import com.sun.management.OperatingSystemMXBean;
import io.temporal.client.ActivityCompletionClient;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures what the heartbeats of many waits cost a worker: {@code java ... HeartbeatLoad [waits]
 * [heartbeat timeout in s] [measured for, in s] [ms that Temporal takes for each call]}. The waits
 * look at memory, every two seconds each, which costs CPU too.
 *
 * <p>On two busy cores, 5,000 waits, 5 ms a call, measured for a minute:
 *
 * <pre>
 * heartbeat timeout   before (a third, news each second)   now (two thirds)
 * </pre>
 */
final class HeartbeatLoad {

  private HeartbeatLoad() {}

  /** Runs and prints. */
  public static void main(String[] args) throws InterruptedException {
    int waits = number(args, 0, 5_000);
    Duration timeout = Duration.ofSeconds(number(args, 1, 8));
    Duration measured = Duration.ofSeconds(number(args, 2, 60));
    int callMs = number(args, 3, 5);
    LongAdder calls = new LongAdder();
    try (TemporalWatcher watcher = new TemporalWatcher(temporal(calls, callMs), 16)) {
      for (int i = 0; i < waits; i++) {
        ActivityTask task =
            new ActivityTask(
                temporal(calls, callMs), new byte[] {1}, "run", timeout, Duration.ZERO);
        String key = "default/job-" + i;
        watcher.register(
            task,
            Wait.of(
                key,
                key,
                Duration.ofHours(1),
                () -> CompletableFuture.completedFuture(ProbeResult.notYet("5 of 8"))));
      }
      Thread.sleep(timeout.multipliedBy(2).toMillis());
      print(waits, timeout, measured, calls);
    }
  }

  private static void print(int waits, Duration timeout, Duration measured, LongAdder calls)
      throws InterruptedException {
    long callsBefore = calls.sum();
    long cpuBefore = cpu();
    Thread.sleep(measured.toMillis());
    double seconds = measured.toMillis() / 1000.0;
    System.out.printf(
        Locale.ROOT,
        "%d waits, heartbeat timeout %d s: %.0f calls/s, %.1f %% of one CPU%n",
        waits,
        timeout.toSeconds(),
        (calls.sum() - callsBefore) / seconds,
        (cpu() - cpuBefore) / 1e9 / seconds * 100);
  }

  /** CPU time of this process, in ns. */
  static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static ActivityCompletionClient temporal(LongAdder calls, int callMs) {
    return (ActivityCompletionClient)
        Proxy.newProxyInstance(
            HeartbeatLoad.class.getClassLoader(),
            new Class<?>[] {ActivityCompletionClient.class},
            (proxy, method, arguments) -> {
              calls.increment();
              Thread.sleep(callMs);
              return null;
            });
  }

  private static int number(String[] args, int index, int missing) {
    return args.length > index ? Integer.parseInt(args[index]) : missing;
  }
}
