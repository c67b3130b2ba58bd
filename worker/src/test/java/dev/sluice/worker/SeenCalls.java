package dev.sluice.worker;

import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.MDC;

/** An interceptor that comes from the class path and notes the log context of each activity. */
public final class SeenCalls extends WorkerInterceptorBase {

  static final List<String> RESOURCES = new CopyOnWriteArrayList<>();

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return new ActivityInboundCallsInterceptorBase(next) {
      @Override
      public ActivityOutput execute(ActivityInput input) {
        RESOURCES.add(MDC.get("resource.namespace") + "/" + MDC.get("resource.name"));
        return super.execute(input);
      }
    };
  }
}
