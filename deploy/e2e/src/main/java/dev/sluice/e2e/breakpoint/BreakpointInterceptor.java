package dev.sluice.e2e.breakpoint;

import dev.sluice.e2e.breakpoint.Breakpoint.Moment;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Holds activities at the {@link Breakpoint}s that a test has set. */
public final class BreakpointInterceptor extends WorkerInterceptorBase {

  /** Below the cluster's home, which every process of the cluster knows. */
  public static final String FOLDER = "breakpoints";

  private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

  /** The end of a workflow id. */
  private static final Pattern UID = Pattern.compile("_[0-9a-f]{8}$");

  private final @Nullable Path folder;

  /** For {@link java.util.ServiceLoader}. */
  public BreakpointInterceptor() {
    String home = System.getenv("SLUICE_CLUSTER");
    this.folder = home == null ? null : Path.of(home, FOLDER);
  }

  @Override
  public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
    return folder == null ? next : new Holding(next, folder);
  }

  private static final class Holding extends ActivityInboundCallsInterceptorBase {

    private final Path folder;
    private @Nullable ActivityInfo info;

    Holding(ActivityInboundCallsInterceptor next, Path folder) {
      super(next);
      this.folder = folder;
    }

    @Override
    public void init(ActivityExecutionContext context) {
      info = context.getInfo();
      super.init(context);
    }

    @Override
    public ActivityOutput execute(ActivityInput input) {
      hold(Moment.BEFORE);
      ActivityOutput output = super.execute(input);
      hold(Moment.AFTER);
      return output;
    }

    private void hold(Moment moment) {
      if (info == null) {
        return;
      }
      String resource = UID.matcher(info.getWorkflowId()).replaceFirst("");
      Breakpoint here = new Breakpoint(folder, moment, info.getActivityType(), resource);
      String activity = activity();
      if (!here.holds(activity)) {
        return;
      }
      here.mark("reached", activity);
      while (here.holds(activity)) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      here.mark("passed", activity);
    }

    /** All attempts have the same name. */
    private String activity() {
      ActivityInfo known = Objects.requireNonNull(info);
      return known.getRunId() + " " + known.getActivityId();
    }
  }
}
