package dev.sluice.controller.job;

import dev.sluice.api.common.EndedJob;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobStatus;
import dev.sluice.api.common.LifecycleState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.controller.common.ConditionHistory;
import dev.sluice.controller.common.ConditionStatus;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.controller.observation.ObservedJob.Pending;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.status.JobWords;
import dev.sluice.controller.status.Lifecycle;
import dev.sluice.controller.status.OperationConditions;
import dev.sluice.controller.status.OperationConditions.Finding;
import dev.sluice.controller.status.ShownJob;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a FlinkDeployment or FlinkSessionJob says of its job, and the four conditions.
 *
 * @param <V> the resource with what was observed of it
 */
public abstract class JobView<V extends SeenJob<?, ?>> {

  private static final String NEXT_START =
      " It is not restarted automatically. [A new spec or restartNonce starts it.]";

  protected final V seen;
  protected final OperationConditions common;

  /** The job as the controller has shown it; null when it never has. */
  private final @Nullable JobStatus last;

  protected JobView(V seen, ReconcileAction decision, Clock clock) {
    this.seen = seen;
    this.last = ShownJob.owned(seen.status());
    this.common =
        new OperationConditions(
            seen,
            decision,
            ConditionHistory.of(seen.status()::condition, seen.generation(), clock.instant()));
  }

  /** While the answer of Flink is on its way, half of a new status is worse than the old one. */
  public final boolean isTooEarly() {
    return seen.shouldRun()
        && seen.flink() instanceof Pending
        && Objects.equals(seen.status().observedGeneration(), seen.generation())
        && seen.status().condition(ConditionTypes.READY).isPresent();
  }

  /** The conditions, always in the same order. */
  public final List<Condition> conditions() {
    Finding found = found();
    return common.all(found::ready, this::notHeld, found.running());
  }

  private Finding found() {
    if (seen.restsSuspended()) {
      return common.suspended();
    }
    if (seen.isMissing()) {
      return absent(Reasons.JOB_MANAGER_MISSING);
    }
    EndedJob end = seen.end().orElse(null);
    if (end != null) {
      FlinkJobState state = Objects.requireNonNull(end.state());
      return common.ended(
          state,
          state == FlinkJobState.FINISHED
              ? JobWords.finished(end.jobId())
              : "Job %s is %s.".formatted(end.jobId(), state) + next(state, false),
          deployed(Reasons.JOB_FINISHED, "its job has finished."));
    }
    if (seen.flink() instanceof Pending) {
      return common.notAsked();
    }
    if (seen.flink() instanceof Unreachable unreachable) {
      return silent(unreachable.why().replaceFirst("\\.$", "") + ".");
    }
    if (!seen.hasJob()) {
      return sessionCluster();
    }
    return seen.job()
        .map(job -> new Finding(ready(job), common.running(job)))
        .orElseGet(() -> absent(Reasons.JOB_NOT_RUNNING));
  }

  private Finding absent(String reason) {
    return common.both(ConditionStatus.FALSE, ConditionStatus.FALSE, reason, reason, absent());
  }

  /**
   * What starts a job that has ended, unless an operation does, or is about to.
   *
   * @param recovered it is brought back, if its recovery was not aborted
   */
  private String next(FlinkJobState state, boolean recovered) {
    boolean told =
        !seen.phase().isIdle()
            || !state.isGloballyTerminal()
            || (recovered && !RecoveryDecision.isGivenUp(seen, RecoveryCause.JOB_FAILED));
    return told ? "" : NEXT_START;
  }

  /** Ready, of a job that Flink reported. */
  protected Condition ready(Job job) {
    boolean recovered = job.state() == FlinkJobState.FAILED && seen.recovery().failed();
    return common.ready(job, this::deployed, next(job.state(), recovered));
  }

  /** Ready, where the newest spec is deployed. */
  protected Condition deployed(String reason, String what) {
    return common.deployed(reason, what);
  }

  /** Of a session cluster whose JobManager answers. */
  protected Finding sessionCluster() {
    return common.both(
        ConditionStatus.TRUE,
        ConditionStatus.TRUE,
        Reasons.UP_TO_DATE,
        Reasons.RUNNING,
        "The session cluster runs.");
  }

  /**
   * Of a Flink that does not answer.
   *
   * @param why with a full stop
   */
  protected abstract Finding silent(String why);

  /** Why there is no job, or nothing that runs it, and what follows. */
  protected abstract String absent();

  /** Stalled, where neither spec nor operation is the cause. */
  protected abstract Condition notHeld();

  /** The controller's fields of {@code status.jobStatus}. */
  public final @Nullable JobStatus job() {
    if (seen.flink() instanceof Pending) {
      return last;
    }
    Job job = seen.job().orElse(null);
    if (job != null) {
      return ShownJob.of(job, last);
    }
    if (!seen.hasJob()) {
      return null;
    }
    if (seen.restsSuspended()) {
      return last == null ? null : last.withState(FlinkJobState.SUSPENDED);
    }
    EndedJob end = seen.end().orElse(null);
    if (end != null) {
      return Objects.requireNonNullElse(last, JobStatus.EMPTY)
          .withJobId(end.jobId())
          .withState(end.state());
    }
    return last != null && seen.isStillEnded(last) ? last : ShownJob.unknown(seen, last);
  }

  /**
   * The word of Apache's operator.
   *
   * @param lost what runs the job is gone
   * @param answers Flink reports the job, or need not be asked any more
   */
  public final LifecycleState lifecycle(boolean lost, boolean answers) {
    JobStatus job = job();
    boolean failed = job != null && job.state() == FlinkJobState.FAILED;
    return Lifecycle.of(seen, common.isUnderway(), lost || failed, answers);
  }
}
