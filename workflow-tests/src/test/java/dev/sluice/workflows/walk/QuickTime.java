package dev.sluice.workflows.walk;

import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Pauses of runs last a thousandth of what they say, and a failing activity is given up after a
 * number of attempts instead of a time: a real Temporal does not skip time.
 */
final class QuickTime extends WorkerInterceptorBase {

  private static final int FACTOR = 1_000;
  private static final int ATTEMPTS_OF_AN_EFFECT = 8;
  private static final int ATTEMPTS_OF_A_WAIT = 16;
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(5);

  /** Far longer than a call of the model, and far shorter than a case is waited for. */
  private static final Duration ATTEMPT = Duration.ofSeconds(15);

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public void init(WorkflowOutboundCallsInterceptor outboundCalls) {
        super.init(new Quick(outboundCalls));
      }
    };
  }

  private static Duration quick(Duration pause) {
    Duration quick = pause.dividedBy(FACTOR);
    return quick.toMillis() == 0 ? Duration.ofMillis(1) : quick;
  }

  private static final class Quick extends WorkflowOutboundCallsInterceptorBase {

    Quick(WorkflowOutboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void sleep(Duration duration) {
      super.sleep(quick(duration));
    }

    @Override
    public boolean await(Duration timeout, String reason, Supplier<Boolean> unblockCondition) {
      return super.await(quick(timeout), reason, unblockCondition);
    }

    @Override
    public Promise<Void> newTimer(Duration duration) {
      return super.newTimer(quick(duration));
    }

    @Override
    public Promise<Void> newTimer(Duration duration, TimerOptions options) {
      return super.newTimer(quick(duration), options);
    }

    @Override
    public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
      return super.executeActivity(
          new ActivityInput<>(
              input.getActivityName(),
              input.getResultClass(),
              input.getResultType(),
              input.getArgs(),
              quickly(input.getOptions()),
              input.getHeader()));
    }

    private static ActivityOptions quickly(ActivityOptions options) {
      boolean waits = options.getHeartbeatTimeout() != null;
      ActivityOptions.Builder quick =
          ActivityOptions.newBuilder(options)
              .setScheduleToCloseTimeout(LONG_ENOUGH)
              // an attempt whose task never reaches the worker is made again, as with the timeouts
              // that the steps have
              .setStartToCloseTimeout(ATTEMPT)
              .setRetryOptions(
                  RetryOptions.newBuilder(options.getRetryOptions())
                      .setInitialInterval(Duration.ofMillis(1))
                      .setMaximumInterval(Duration.ofMillis(2))
                      .setMaximumAttempts(waits ? ATTEMPTS_OF_A_WAIT : ATTEMPTS_OF_AN_EFFECT)
                      .build());
      return (waits ? quick.setHeartbeatTimeout(LONG_ENOUGH) : quick).build();
    }
  }
}
