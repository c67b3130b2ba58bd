package dev.sluice.worker;

import dev.sluice.bootstrap.LogKeys;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts the resource into the log lines of its activities; Temporal's SDK puts the run there itself.
 */
final class ResourceLogContext extends WorkerInterceptorBase {

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
