package dev.sluice.activities.async;

import io.temporal.client.ActivityCompletionClient;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A Temporal that notes what it is told, and is away or takes activities back when a test says so:
 * faults that a real one does not make on demand.
 */
final class FakeTemporal implements InvocationHandler {

  final List<String> heartbeats = new CopyOnWriteArrayList<>();
  final List<WaitHeartbeat> details = new CopyOnWriteArrayList<>();
  final List<Object> completions = new CopyOnWriteArrayList<>();
  final List<ApplicationFailure> failures = new CopyOnWriteArrayList<>();
  final List<String> cancellations = new CopyOnWriteArrayList<>();

  /** What every heartbeat throws, if anything. */
  volatile @Nullable RuntimeException onHeartbeat;

  /** What every other call throws, if anything. */
  volatile @Nullable RuntimeException onEnding;

  volatile int endingsTried;

  ActivityCompletionClient client() {
    return (ActivityCompletionClient)
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {ActivityCompletionClient.class}, this);
  }

  @Override
  public synchronized @Nullable Object invoke(Object proxy, Method method, Object[] args) {
    if (method.getName().equals("heartbeat")) {
      orThrow(onHeartbeat);
      heartbeats.add(((WaitHeartbeat) args[1]).progress());
      details.add((WaitHeartbeat) args[1]);
      return null;
    }
    endingsTried++;
    orThrow(onEnding);
    switch (method.getName()) {
      case "complete" -> completions.add(args[1]);
      case "completeExceptionally" -> failures.add((ApplicationFailure) args[1]);
      case "reportCancellation" -> cancellations.add(((WaitHeartbeat) args[1]).progress());
      default -> throw new UnsupportedOperationException(method.getName());
    }
    return null;
  }

  private static void orThrow(@Nullable RuntimeException thrown) {
    if (thrown != null) {
      throw thrown;
    }
  }
}
