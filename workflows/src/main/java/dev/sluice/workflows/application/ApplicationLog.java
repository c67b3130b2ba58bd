package dev.sluice.workflows.application;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities.ObserveRequest;
import dev.sluice.workflows.application.ApplicationActivities.RecordVersionsRequest;
import dev.sluice.workflows.application.ApplicationActivities.VersionRequest;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepFailure;
import dev.sluice.workflows.operation.StepLimits;
import dev.sluice.workflows.operation.StepRunner;
import dev.sluice.workflows.operation.StepRunner.Wake;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Functions.Func1;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the status of an application says, how this run changes that, and how it carries out steps.
 */
final class ApplicationLog {

  private final OperationContext context;
  private final StepRunner steps;
  private final ApplicationMemory memory;
  private ApplicationRecord known = ApplicationRecord.NONE;
  private @Nullable ApplicationSeen seen;
  private VersionLimits limits = VersionLimits.DEFAULT;
  private @Nullable String told;
  private boolean saysUnderWay;

  ApplicationLog(OperationContext context, StepRunner steps, ApplicationMemory memory) {
    this.context = context;
    this.steps = steps;
    this.memory = memory;
  }

  /** What the status says now. */
  ApplicationRecord known() {
    return known;
  }

  /** What was observed last. */
  ApplicationSeen seen() {
    return Objects.requireNonNull(seen);
  }

  VersionLimits limits() {
    return limits;
  }

  VersionRef deployed() {
    return Objects.requireNonNull(known.deployed());
  }

  VersionRef target() {
    return Objects.requireNonNull(known.target());
  }

  /** Looks at the application; empty when that failed, and the run was held for it. */
  Optional<ApplicationSeen> observe() {
    long wantedBefore = context.signals().wanted();
    Optional<ApplicationSeen> now = memory.takesPatience() ? lookPatiently() : Optional.of(look(0));
    now.ifPresent(
        it -> {
          seen = it;
          known = it.record();
          limits = it.limits();
          context.signals().observed(wantedBefore, it.generation());
          context.job(words(it));
          context.generations(
              known.deployed() == null ? null : Long.valueOf(known.deployed().generation()),
              known.target() == null ? it.generation() : known.target().generation());
        });
    return now;
  }

  private Optional<ApplicationSeen> lookPatiently() {
    return await(
        Step.OBSERVE,
        "Observe the application until its jobs have settled",
        context.in(StepLimits.PATIENCE),
        a -> a.observe(new ObserveRequest(context.resource(), StepLimits.PATIENCE.toMillis())));
  }

  /** Looks at once. */
  ApplicationSeen look(long patienceMs) {
    return steps.run(
        Step.OBSERVE,
        "Observe the application and its versions",
        ApplicationActivities.class,
        a -> a.observe(new ObserveRequest(context.resource(), patienceMs)));
  }

  /** The newest spec was frozen. */
  void frozen(ApplicationRecord record, VersionLimits of) {
    known = record;
    limits = of;
    saysUnderWay = true;
  }

  /** Whether what this run has written last says that it is under way. */
  boolean saysUnderWay() {
    return saysUnderWay;
  }

  private static String words(ApplicationSeen seen) {
    return "Deployed: %s. Target: %s.".formatted(words(seen.deployed()), words(seen.target()));
  }

  private static String words(@Nullable VersionSeen version) {
    if (version == null) {
      return "none";
    }
    JobObservation job = version.job();
    String of = version.version().display() + ", its job ";
    if (job instanceof JobObservation.Alive alive) {
      return of + (alive.isUp() ? "runs" : "is " + alive.state());
    }
    if (job instanceof JobObservation.Ended ended) {
      return of + "is " + ended.state();
    }
    if (job instanceof JobObservation.Unreachable unreachable) {
      return of + "cannot be seen: " + unreachable.why();
    }
    return of + "does not exist";
  }

  /** For effects on a version. */
  VersionRequest request(VersionRef version, long deadlineMs) {
    return new VersionRequest(context.resource(), known.standing(), version, deadlineMs);
  }

  /** Writes how far the application has come, while the operation goes on. */
  void write(ApplicationRecord next, Step step, String message, @Nullable String event) {
    write(next, context.report(OperationState.RUNNING, step, null, message, event));
  }

  /** Writes how far the application has come. */
  void write(ApplicationRecord next, OperationReport report) {
    ApplicationRecord before = known;
    steps.goesOnUntold(Step.RECORD_VERSIONS, report.message());
    effect(
        Step.RECORD_VERSIONS,
        report.message(),
        a -> a.record(new RecordVersionsRequest(before, next, report)));
    known = next;
    told = report.message();
    saysUnderWay = report.state() == OperationState.RUNNING;
    done(report.message());
  }

  /** A short effect, carried out until it succeeds. */
  void effect(Step step, String summary, Effect effect) {
    boolean unused =
        steps.run(
            step,
            summary,
            ApplicationActivities.class,
            a -> {
              effect.on(a);
              return true;
            });
  }

  /** A wait that may be left; empty when it failed, and the run was held for that. */
  <O> Optional<O> await(
      Step step, String summary, long deadlineMs, Func1<ApplicationActivities, O> call) {
    try {
      return Optional.of(
          steps.awaitInterruptibly(step, summary, deadlineMs, ApplicationActivities.class, call));
    } catch (ActivityFailure failure) {
      hold(step, steps.failure(failure));
      return Optional.empty();
    }
  }

  /** A wait that only a deletion leaves; empty when it failed, and the run was held for that. */
  <O> Optional<O> carryOut(
      Step step, String summary, long deadlineMs, Func1<ApplicationActivities, O> call) {
    try {
      return Optional.of(
          steps.awaitUnlessDeleted(step, summary, deadlineMs, ApplicationActivities.class, call));
    } catch (ActivityFailure failure) {
      hold(step, steps.failure(failure));
      return Optional.empty();
    }
  }

  /** What is to pass by itself. */
  void blocked(Step step, String reason, String why) {
    hold(step, new StepFailure(reason, why, true));
  }

  /** What needs action. */
  void parked(Step step, String reason, String why) {
    hold(step, new StepFailure(reason, why, false));
  }

  private void hold(Step step, StepFailure why) {
    told = null;
    Wake wake = steps.hold(step, why, false);
    memory.held(wake == Wake.RETRY);
  }

  /** A step is done. */
  void done(String what) {
    context.done(what);
    memory.progressed();
  }

  /** A wait has come to its end: the run is held no more. */
  void goesOn(Step step, String what) {
    steps.goesOn(step, what);
    done(what);
  }

  /** Writes that nothing is to be done any more. */
  void settle(ApplicationRecord next, OperationReport report) {
    if (next.equals(known)) {
      steps.report(report);
      done(report.message());
    } else {
      write(next, report);
    }
  }

  /** Says that the run has come to its end, if the status may still say that it is under way. */
  void reportEnd(Step step, String why) {
    steps.reportEnd(step, why);
    done(why);
  }

  /** Writes what the run says of itself. */
  void report(OperationReport report) {
    steps.report(report);
    done(report.message());
  }

  /** Says what takes longer, once. */
  void tell(Step step, String what) {
    tell(step, what, null);
  }

  /** Says what takes longer, once, with the event that it begins with. */
  void tell(Step step, String what, @Nullable String event) {
    if (!what.equals(told)) {
      steps.goesOnUntold(step, what);
      steps.report(context.report(OperationState.RUNNING, step, null, what, event));
      told = what;
    }
  }

  /** An activity without a result. */
  interface Effect {
    void on(ApplicationActivities activities);
  }
}
