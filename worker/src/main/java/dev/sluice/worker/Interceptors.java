package dev.sluice.worker;

import io.temporal.common.interceptors.WorkerInterceptor;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * What sees every call of workflows and activities: our own, and each {@link WorkerInterceptor}
 * that a jar on the class path offers under {@code
 * META-INF/services/io.temporal.common.interceptors.WorkerInterceptor}. That is the way to add
 * tracing, payload checks or, in tests, breakpoints without changing Sluice.
 */
final class Interceptors {

  private Interceptors() {}

  /**
   * @param kubernetes identity of the Kubernetes cluster that this worker serves
   */
  static WorkerInterceptor[] all(String kubernetes) {
    // the SDK wraps in this order, so the last is the outermost: what the others log has the
    // resource in it, too
    return Stream.concat(
            ServiceLoader.load(WorkerInterceptor.class).stream().map(ServiceLoader.Provider::get),
            Stream.of(new KubernetesGuard(kubernetes), new ResourceLogContext()))
        .toArray(WorkerInterceptor[]::new);
  }
}
