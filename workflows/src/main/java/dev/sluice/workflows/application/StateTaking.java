package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.ApplicationActivities.SavepointRequest;
import dev.sluice.workflows.application.ApplicationDecision.From;
import dev.sluice.workflows.application.ApplicationMemory.GivingUp;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.application.ApplicationRecord.Trigger;
import dev.sluice.workflows.application.ApplicationSeen.StatePolicy;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.Step;
import io.temporal.workflow.Workflow;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the state that the job of the target starts from. The old job ends with that, except where
 * the target comes next to it. What is recorded in the end says that it has ended.
 */
final class StateTaking {

  private final OperationContext context;
  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;
  private final StateFinding finding;
  private final AdoptedJob jobs;

  StateTaking(
      OperationContext context,
      ApplicationLog log,
      ApplicationMemory memory,
      VersionSteps clusters) {
    this.context = context;
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
    this.finding = new StateFinding(log, memory);
    this.jobs = new AdoptedJob(log, memory);
  }

  /** Takes it, or does a part of that. */
  void take(From from) {
    if (!jobs.isKnown(log.seen().deployed())) {
      return;
    }
    switch (from) {
      case SAVEPOINT -> savepoint();
      case CHECKPOINT -> checkpoint();
      case NOTHING -> without(nothing());
      case NAMED -> recordNamed();
    }
  }

  private StatePolicy policy() {
    return log.seen().wanted().state();
  }

  private boolean isBeside() {
    return ApplicationLook.isBeside(log.known());
  }

  private StateRef nothing() {
    if (policy().savepointDisabled()) {
      return new StateRef.Empty("savepointDisabled is true");
    }
    return policy().fallbackWithoutState()
        ? new StateRef.Empty(StateFinding.FALLBACK)
        : new StateRef.Unknown("the job was cancelled for another spec");
  }

  private StateRef named() {
    String named = policy().named();
    boolean first = log.known().deployed() == null;
    return named == null
        ? new StateRef.Empty(first ? "first deployment" : "savepointPath is empty")
        : new StateRef.Savepoint(named);
  }

  // ---------------------------------------------------------------- with a savepoint

  private void savepoint() {
    VersionRef deployed = log.deployed();
    if (log.known().savepoint() == null) {
      String job = Objects.requireNonNull(deployed.jobId());
      Trigger trigger = new Trigger(ApplicationMemory.newId(), job, now(), !isBeside());
      log.write(
          log.known().in(ApplicationPhase.SAVEPOINTING).starting(null).taking(trigger),
          Step.TAKE_VERSION_SAVEPOINT,
          "Take a savepoint of the job of %s%s"
              .formatted(deployed.display(), isBeside() ? "" : ", and stop it"),
          ApplicationEvents.SAVEPOINTING_JOB);
    }
    Trigger trigger = Objects.requireNonNull(log.known().savepoint());
    long deadline = now() + log.limits().savepointMs();
    Optional<SavepointOutcome> outcome =
        log.carryOut(
            Step.TAKE_VERSION_SAVEPOINT,
            "Take a savepoint of the job of " + deployed.display(),
            deadline,
            a ->
                a.takeSavepoint(
                    new SavepointRequest(log.request(deployed, deadline), trigger, false)));
    outcome.ifPresent(it -> judge(it, trigger));
  }

  private void judge(SavepointOutcome outcome, Trigger trigger) {
    if (outcome instanceof SavepointOutcome.Taken taken) {
      log.goesOn(Step.TAKE_VERSION_SAVEPOINT, "Savepoint: " + taken.path());
      record(new StateRef.Savepoint(taken.path()), ApplicationEvents.SAVEPOINT_COMPLETED);
    } else if (outcome instanceof SavepointOutcome.Failed failed) {
      failed(failed.why(), trigger.jobId());
    } else if (outcome instanceof SavepointOutcome.Ended ended
        && ended.state().equals("FINISHED")
        && ended.left().pathOrNull() != null) {
      log.goesOn(Step.TAKE_VERSION_SAVEPOINT, "The job had finished: " + ended.why());
      record(ended.left(), ApplicationEvents.SAVEPOINT_FAILED);
    } else if (outcome instanceof SavepointOutcome.Unknown unknown) {
      log.blocked(
          Step.TAKE_VERSION_SAVEPOINT,
          Reasons.JOB_MANAGER_SILENT,
          unknown.why()
              + ". The job may have been stopped. If its JobManager will never answer again, delete its Deployments");
    } else {
      log.goesOn(Step.TAKE_VERSION_SAVEPOINT, "The job does not run any more");
      find();
    }
  }

  /** The job runs on: it is as if nothing had been asked of it. */
  private void failed(String why, String job) {
    memory.savepointFailed(job);
    String what = "No savepoint could be taken: " + why;
    untouched(what, ApplicationEvents.SAVEPOINT_FAILED);
    if (isBeside()) {
      givesUp(what);
    }
  }

  private void untouched(String what, String event) {
    log.write(
        log.known().in(ApplicationPhase.CLUSTER_STARTING).taking(null),
        Step.RECORD_VERSIONS,
        what,
        event);
  }

  private void givesUp(String why) {
    memory.givesUp(new GivingUp(OperationState.FAILED, Reasons.SAVEPOINT_FAILED, why));
  }

  // ---------------------------------------------------------------- without one

  /** The old job is cancelled, whatever it has done; one that the target comes next to runs on. */
  private void without(StateRef state) {
    VersionRef deployed = log.deployed();
    if (isBeside() || (deployed.jobId() == null && state.isKnown())) {
      record(state, null);
      return;
    }
    if (deployed.jobId() == null) {
      find();
      return;
    }
    phase(
        ApplicationPhase.CANCELLING,
        "Cancel the job of %s, and start from %s".formatted(deployed.display(), state.display()),
        ApplicationEvents.CANCELLING_JOB);
    Optional<CancelOutcome> outcome = clusters.cancel(deployed, OnlyIf.ANY_CASE, 0);
    if (outcome.isEmpty() || isUnknown(outcome.get())) {
      return;
    }
    log.goesOn(Step.CANCEL_VERSION_JOB, "The job of %s has ended".formatted(deployed.display()));
    if (state.isKnown()) {
      record(state, ApplicationEvents.CANCELED_JOB);
    } else if (!isRecorded(outcome.get())) {
      find();
    }
  }

  private boolean isUnknown(CancelOutcome outcome) {
    if (outcome instanceof CancelOutcome.Unknown unknown) {
      log.blocked(
          Step.CANCEL_VERSION_JOB,
          Reasons.JOB_MANAGER_SILENT,
          unknown.why() + ". If its JobManager will never answer again, delete its Deployments");
      return true;
    }
    return false;
  }

  private boolean isRecorded(CancelOutcome outcome) {
    if (outcome instanceof CancelOutcome.Ended ended && ended.left().isKnown()) {
      record(ended.left(), ApplicationEvents.RESTORING_CHECKPOINT);
      return true;
    }
    return false;
  }

  private void checkpoint() {
    JobObservation job = Objects.requireNonNull(log.seen().deployed()).job();
    if (!(job instanceof JobObservation.Alive)) {
      find();
      return;
    }
    VersionRef deployed = log.deployed();
    phase(
        ApplicationPhase.RECOVERING,
        "Cancel the job of %s, if its newest checkpoint is kept".formatted(deployed.display()),
        ApplicationEvents.CANCELLING_JOB);
    Optional<CancelOutcome> outcome =
        clusters.cancel(deployed, OnlyIf.STATE_IS_KEPT, policy().maxCheckpointAgeMs());
    if (outcome.isEmpty() || isUnknown(outcome.get())) {
      return;
    }
    if (outcome.get() instanceof CancelOutcome.Left left) {
      left(left.why());
      return;
    }
    log.goesOn(Step.CANCEL_VERSION_JOB, "The job of %s has ended".formatted(deployed.display()));
    if (!isRecorded(outcome.get())) {
      find();
    }
  }

  private void left(String why) {
    if (policy().fallbackWithoutState()) {
      without(new StateRef.Empty(StateFinding.FALLBACK));
      return;
    }
    String what = "Neither a savepoint nor a checkpoint can be had: " + why;
    untouched(what, ApplicationEvents.SAVEPOINT_FAILED);
    givesUp(what);
  }

  /** The job does not run: there is no way back but with its state. */
  private void find() {
    VersionRef deployed = log.deployed();
    phase(
        ApplicationPhase.RECOVERING,
        "Find the newest state of the job of " + deployed.display(),
        null);
    boolean named = policy().redeploys();
    StateFinding.Search found = finding.find(deployed, named);
    StateRef state = found.state();
    if (state != null) {
      record(
          state,
          state instanceof StateRef.Empty
              ? ApplicationEvents.RESTORING_WITHOUT_CHECKPOINT
              : ApplicationEvents.RESTORING_CHECKPOINT);
    } else if (named && found.isNone()) {
      recordNamed();
    }
  }

  /**
   * What a search for the state of a job that was lost has come to.
   *
   * @param state null when it was not found
   * @param alive whether nothing was lost: the job is alive, or has finished by itself. If neither,
   *     the run was held
   */
  record Search(@Nullable StateRef state, boolean alive) {}

  /** Looks for the newest state of a job that was lost. */
  Search find(VersionRef version) {
    StateFinding.Search found = finding.find(version, false);
    return found.hasFinished() ? new Search(null, true) : new Search(found.state(), found.alive());
  }

  // ---------------------------------------------------------------- what is written

  /** A savepoint that the job may have been stopped with is still to be looked for. */
  private void phase(ApplicationPhase phase, String what, @Nullable String event) {
    ApplicationRecord next = log.known().in(phase).starting(null);
    if (!next.equals(log.known())) {
      log.write(next, Step.CANCEL_VERSION_JOB, what, event);
    }
  }

  /**
   * What the spec names takes the place of what the job has left, which is kept for a roll-back. A
   * newer spec than that of the target names it for the version that comes next.
   */
  private void record(StateRef left, @Nullable String event) {
    VersionRef deployed = log.known().deployed();
    String takenFrom = deployed == null ? null : deployed.jobId();
    Long nonce = policy().redeployNonce();
    boolean ofTarget = log.seen().wanted().fullHash().equals(log.target().fullHash());
    if (nonce == null || !ofTarget) {
      record(new Start(left, takenFrom, null), event);
    } else {
      redeploy(new Start(named(), takenFrom, null, isBeside() ? null : left), nonce, event);
    }
  }

  /** The first version, one next to another, or one whose job before is down already. */
  private void recordNamed() {
    VersionRef deployed = log.known().deployed();
    Start before = log.known().start();
    Long nonce = policy().redeployNonce();
    String takenFrom = deployed == null ? null : deployed.jobId();
    Start start =
        before == null
            ? new Start(named(), takenFrom, null)
            : new Start(named(), before.takenFrom(), null, before.leftBefore());
    if (nonce == null) {
      record(start, null);
    } else {
      redeploy(start, nonce, null);
    }
  }

  private void redeploy(Start start, long nonce, @Nullable String event) {
    record(start, event, log.known().redeploying(nonce));
  }

  /** A state that was recorded for a version before this one. */
  void recordAgain() {
    record(Objects.requireNonNull(log.known().start()), null);
  }

  private void record(Start start, @Nullable String event) {
    record(start, event, log.known());
  }

  private void record(Start start, @Nullable String event, ApplicationRecord known) {
    VersionRef target = log.target();
    String job = ApplicationMemory.newId();
    context.state(start.state());
    log.write(
        known
            .in(ApplicationPhase.SUBMITTING_JOB)
            .with(known.deployed(), target.running(job))
            .starting(start.forJob(job))
            .taking(null),
        Step.SUBMIT_VERSION_JOB,
        "Start the job of %s from %s%s"
            .formatted(
                target.display(),
                start.state().display(),
                start.left() == null ? "" : "; a roll-back starts from " + start.left().display()),
        event);
  }

  private static long now() {
    return Workflow.currentTimeMillis();
  }
}
