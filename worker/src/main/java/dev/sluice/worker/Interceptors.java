package dev.sluice.worker;

import dev.sluice.bootstrap.LogKeys;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

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

  /**
   * Puts the resource into the log lines of its activities; Temporal's SDK puts the run there
   * itself.
   */
  private static final class ResourceLogContext extends WorkerInterceptorBase {

    // ResourceRef.laneId: kind, namespace, name, uid; "_" is in none of them
    private static final Pattern LANE = Pattern.compile("[^_]+_([^_]+)_([^_]+)_[^_]+");

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        private @Nullable ActivityInfo info;

        @Override
        public void init(ActivityExecutionContext context) {
          info = context.getInfo();
          super.init(context);
        }

        @Override
        public ActivityOutput execute(ActivityInput input) {
          Matcher lane = LANE.matcher(info == null ? "" : String.valueOf(info.getWorkflowId()));
          if (!lane.matches()) {
            return super.execute(input);
          }
          try (MDC.MDCCloseable namespace = MDC.putCloseable(LogKeys.NAMESPACE, lane.group(1));
              MDC.MDCCloseable name = MDC.putCloseable(LogKeys.NAME, lane.group(2))) {
            return super.execute(input);
          }
        }
      };
    }
  }
}
