package dev.sluice.workflows.environment;

import dev.sluice.api.common.PendingStop;
import dev.sluice.workflows.activity.ClusterActivities.CreateClusterRequest;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The safety rules. Each effect tells what it is about to do; what breaks a rule is noted, and the
 * effect goes on, as it would in reality.
 */
public final class Invariants extends Evidence implements JobManagerProcess.Listener {

  /** A stop that is not recorded yet counts, too. */
  public boolean seesUnrecordedStops;

  Invariants(Environment environment, StateStorage storage) {
    super(environment, storage);
  }

  // ---- what happens ----

  @Override
  public void jobBegins(JobManagerProcess process, FlinkJob job) {
    jobsBegun.add(job.jobId);
    jobs.add(job);
    beginsAgain = false;
    stateGivenUp = false;
    wentBack = false;
    stopInDoubt = false;
    // one that Kubernetes begins again after its end is not what counts
    if (job.endedBefore() == null) {
      last = job;
      stableJob = job.jobId.equals(stableJobId) ? job : stableJob;
    }
    if (!RescaleEffects.program(job.spec).equals(RescaleEffects.program(process.spec))) {
      violated("runs the job graph of %s, not of %s".formatted(job.spec, process.spec));
    }
    environment.note("job %s begins at %d".formatted(job.jobId, job.progress()));
    environment.effect("job %s starts from %s".formatted(job.jobId, Trace.of(job.restoredFrom)));
    atMostOneLiveJob();
    if (failed.beginsAgain(process, job)) {
      violated("begins a failed job again that an operation is held for");
    }
  }

  void atMostOneLiveJob() {
    List<FlinkJob> live = environment.kubernetes().liveJobs();
    if (live.size() > 1) {
      violated("two live jobs: " + live.stream().map(job -> job.jobId).toList());
    }
  }

  void observed(Observation seen) {
    seenNewest = environment.resource().newest();
    failed.observed(seen);
  }

  void reported(OperationReport report) {
    failed.reported(report, environment.flink());
  }

  void records(RecordStateRequest request) {
    String used = request.usedRestoreFrom();
    StateRef state = request.recorded().state();
    if (used != null) {
      RestorePoint before = environment.resource().recorded();
      boolean asAsked =
          switch (used) {
            case "empty" -> state instanceof StateRef.Empty;
            case "recorded" -> before != null && before.state().equals(state);
            default -> used.equals(state.pathOrNull());
          };
      if (!used.equals(environment.resource().restoreFrom()) && chosenByPerson == null) {
        violated("uses restore-from " + used + ", which nobody asked for");
      } else if (!asAsked) {
        violated("restore-from " + used + " became " + state.display());
      } else {
        chosenByPerson = state;
        stableStateGivenUp = true;
      }
    }
    Spec frozen = environment.resource().frozen();
    if (frozen != null && isRedeploying() && used == null) {
      redeploys(frozen, request.recorded());
    }
    if (state instanceof StateRef.Empty) {
      boolean byMode = Spec.isStateless(environment.resource().frozen());
      stateGivenUp |= byMode;
      stableStateGivenUp |= byMode || (last != null && last.finishedByItself());
    }
  }

  private boolean isRedeploying() {
    Spec frozen = environment.resource().frozen();
    return frozen != null
        && environment.resource().redeploys(frozen)
        && environment.resource().phase() == Observation.Phase.UPGRADING;
  }

  /** The state is given up for another, but what was there can be gone back to. */
  private void redeploys(Spec frozen, RestorePoint recorded) {
    if (!recorded.state().pathOrNull().equals(frozen.initialSavepointPath())) {
      violated("redeploys from " + recorded.state().display());
    }
    chosenByPerson = recorded.state();
    boolean keptNothing = recorded.leftByStable().equals(recorded.state());
    stableStateGivenUp |= keptNothing;
    if (keptNothing && last != null && last.stoppedWith() != null) {
      violated("forgets the savepoint that was taken before the redeployment");
    }
    if (recorded.leftByStable() instanceof StateRef.Empty) {
      violated("would go back to nothing");
    }
  }

  void goesBack(boolean untouched) {
    boolean told = seesUnrecordedStops || environment.resource().recorded() != null;
    boolean stopped = stableJob != null && stableJob.stoppedWith() != null && told;
    wentBack |= !untouched;
    if (untouched && stopped && !jobIsUp()) {
      violated("says that the job was never touched, and it was stopped");
    }
  }

  /** A person goes back to an earlier spec, from that state; null for the newest one. */
  void goesBackToRevision(@Nullable StateRef from) {
    wentBack = true;
    abortAsked = true;
    if (from != null) {
      chosenByPerson = from;
      stableStateGivenUp = true;
    }
  }

  void marksStable() {
    Spec frozen = environment.resource().frozen();
    if (frozen != null && frozen.suspended()) {
      marksSuspended();
      return;
    }
    Deployment deployment = environment.ownDeployment();
    RestorePoint recorded = environment.resource().recorded();
    boolean cameUp = last != null && (last.everUp() || last.finishedByItself());
    if (last == null || !isWanted(last, recorded, deployment) || !cameUp) {
      violated("marks stable what never came up");
    } else if (deployment != null && !sameContent(deployment, environment.resource().frozen())) {
      violated("marks a generation stable that is not deployed");
    }
    if (last != null) {
      stable(last);
    }
    chosenByPerson = null;
    stableStateGivenUp = false;
  }

  private void marksSuspended() {
    if (environment.observation().cluster().present() || environment.kubernetes().pods() > 0) {
      violated("marks as suspended what has a cluster");
    }
    if (last != null && recordedProgress() < requiredOfSuspended()) {
      violated(
          "suspends at %d, recorded is %d".formatted(requiredOfSuspended(), recordedProgress()));
    }
    // a job that was gone back from is given up: what the one before it left is resumed
    stable(wentBack ? stableJob : last);
    chosenByPerson = null;
  }

  private long requiredOfSuspended() {
    boolean byChoice = chosen(environment.resource().recorded()) || environment.metadataIsLost();
    boolean back = environment.resource().phase() == Observation.Phase.ROLLING_BACK;
    return byChoice || stateMayBeLost(back) ? 0 : back ? progressOfStable() : required();
  }

  private static boolean isWanted(
      FlinkJob job, @Nullable RestorePoint recorded, @Nullable Deployment deployment) {
    return recorded != null
        ? recorded.starts(job.jobId)
        : deployment == null || deployment.jobId().equals(job.jobId);
  }

  private static boolean sameContent(Deployment deployment, @Nullable Spec frozen) {
    JobManagerProcess process = deployment.process();
    return process == null || (frozen != null && process.spec.content().equals(frozen.content()));
  }

  void stops(FlinkJob job, String trigger, boolean last) {
    mayEnd(job, "stops");
    isPending(job, trigger);
    if (last && !environment.resource().deleting()) {
      violated("may drain job " + job.jobId + ", which has to go on from its savepoint");
    }
  }

  /** Whoever goes on knows from the status that the job may have been stopped, and how. */
  private void isPending(FlinkJob job, @Nullable String trigger) {
    PendingStop pending = environment.resource().pendingStop();
    boolean isThis =
        pending != null
            && job.jobId.equals(pending.jobId())
            && (trigger == null || trigger.equals(pending.triggerId()));
    if (!isThis && !environment.resource().deleting()) {
      violated("stops job %s, the status says %s".formatted(job.jobId, pending));
    }
  }

  void cancels(FlinkJob job, boolean keepState) {
    mayEnd(job, "cancels");
    isPending(job, null);
    boolean byChoice = environment.resource().restoreFrom() != null;
    boolean mayGo = stateMayGo() || isRedeploying() || byChoice || job.newestEver() == null;
    if (!keepState && !mayGo && Snapshot.progress(job.newestEver()) > recordedProgress()) {
      violated("cancels job " + job.jobId + " without keeping its state");
    }
  }

  void takesForEnded(Deployment deployment) {
    FlinkJob job = deployment.process() == null ? null : deployment.process().job();
    if (job != null && job.live() && job.endedBefore() == null) {
      violated("takes a job for ended that has not");
    }
  }

  void deletes(Deployment deployment, @Nullable String keptMetadata) {
    JobManagerProcess process = deployment.process();
    FlinkJob job = process == null ? null : process.job();
    // one that nobody can reach goes on elsewhere with all that it has
    boolean goesOn = keptMetadata != null && environment.flink() == null;
    if (job != null && !goesOn) {
      mayEnd(job, "deletes");
    }
    beginsAgain |= kubernetesBeginsAgain(deployment);
    // a first deployment that is aborted is taken down with what its job had done
    stateGivenUp |= environment.resource().stable() == null && abortAsked;
    RestorePoint recorded = environment.resource().recorded();
    if (environment.resource().deleting() || stateMayGo()) {
      return;
    }
    Ended end = environment.resource().end();
    if (end != null && progress(end.newest()) >= required()) {
      return;
    }
    if (recorded == null && last != null) {
      violated("deletes a cluster before its state is recorded");
    } else if (recorded != null && recorded.isSameJob() && keptMetadata == null) {
      violated("deletes the high-availability metadata that is to be restored");
    } else if (recordedProgress() < required() && !chosen(recorded)) {
      violated(
          "deletes the cluster of job %s, whose state at %d is not recorded (recorded: %d)"
              .formatted(deployment.jobId(), required(), recordedProgress()));
    }
  }

  /** FlinkSessionJobs suspend their jobs by the step that the status names. */
  void awaitsSessionJobs() {
    OperationReport told = environment.resource().operation();
    // a wait that begins late, after its operation was given up, is not heard of any more
    boolean isAwaited = told == null || told.state().isOpen();
    if (isAwaited && (told == null || !told.step().equals(Step.SUSPEND_SESSION_JOBS.title()))) {
      violated("waits for FlinkSessionJobs that are not told: " + told);
    }
  }

  /** Whoever takes over then knows that the recorded state may be older than what the job has. */
  public void awaitsStable(String jobId) {
    RestorePoint recorded = environment.resource().recorded();
    if (recorded != null && recorded.starts(jobId) && !recorded.wasUp(jobId)) {
      violated("waits until job " + jobId + " is stable before it is recorded that it was up");
    }
  }

  /** A job that runs never removes its metadata: it is not waited for. Null for nobody. */
  void leavesMetadataTo(Deployment deployment, @Nullable String endedJob) {
    JobManagerProcess process = deployment.process();
    FlinkJob job = process == null ? null : process.job();
    if (endedJob != null && job != null && job.jobId.equals(endedJob) && job.live()) {
      violated("waits until job " + endedJob + ", which runs, removes its metadata");
    }
    environment.note("metadata left to " + (endedJob == null ? "nobody" : "its job"));
  }

  void creates(CreateClusterRequest request) {
    StateRef from = request.restoreFrom();
    startsWhatIsWanted();
    RestorePoint recorded = environment.resource().recorded();
    Spec frozen = environment.resource().frozen();
    if (frozen != null && frozen.suspended()) {
      violated("starts a job of a suspended spec");
    }
    if (!from.isKnown()) {
      violated("starts from unknown state");
    } else if (!startsAsNamed(from)) {
      violated("the spec does not name " + from.display());
    }
    if (recorded == null
        || !recorded.startedJob().equals(request.job().jobId())
        || !recorded.state().equals(from)) {
      violated(
          "starts job %s from %s, recorded is %s".formatted(request.job().jobId(), from, recorded));
    }
    if (jobsBegun.contains(request.job().jobId())
        && !(from instanceof StateRef.HaMetadata same
            && same.jobId().equals(request.job().jobId()))) {
      violated("starts another job with the id " + request.job().jobId());
    }
    if (environment.kubernetes().pods() > 0) {
      violated("creates a cluster beside pods of another");
    }
    boolean back = environment.resource().phase() == Observation.Phase.ROLLING_BACK;
    long needed = back ? progressOfStable() : required();
    if (back) {
      goesBackToItsOwnState(from);
    }
    if (progress(from) < needed && !stateMayBeLost(back) && !from.equals(chosenByPerson)) {
      violated(
          "%s to %d, the newest state is at %d"
              .formatted(back ? "goes back" : "rewinds", progress(from), needed));
    }
  }

  /** FLINK-33107: a spec is not gone back to with what a later spec has written. */
  private void goesBackToItsOwnState(StateRef from) {
    Spec stable = environment.resource().stable();
    boolean chosen = environment.resource().rollsBackToNewestState() || chosenByPerson != null;
    if (stable == null || stable.shape().highAvailability() || chosen) {
      return;
    }
    long ownProgress =
        jobs.stream()
            .filter(job -> job.spec.content().equals(stable.content()))
            .mapToLong(job -> Snapshot.progress(job.newestEver()))
            .max()
            .orElse(0);
    if (progress(from) > ownProgress) {
      violated(
          "goes back with the state at %d, its own was at %d"
              .formatted(progress(from), ownProgress));
    }
  }

  private void startsWhatIsWanted() {
    ResourceModel resource = environment.resource();
    Spec frozen = resource.frozen();
    boolean newest = frozen != null && frozen.content().equals(resource.newest().content());
    if (resource.phase() != Observation.Phase.ROLLING_BACK
        && newest
        && resource.newest().generation() == abortedGeneration) {
      violated("starts again what was aborted");
    }
  }

  /** What was given up must not start again; what is applied after the look is a new request. */
  void abortEnds(@Nullable Spec frozen) {
    Spec newest = seenNewest;
    if (frozen != null && newest != null && frozen.isGivenUpWith(newest)) {
      abortedGeneration = newest.generation();
    }
  }

  // ---- what the rules are made of ----

  private void mayEnd(FlinkJob job, String verb) {
    ResourceModel resource = environment.resource();
    boolean wanted =
        resource.deleting()
            || abortAsked
            || stopInDoubt
            || isToBeReplaced(job)
            || isUnhealthy()
            || environment.isClusterToGo()
            || chosenByPerson != null
            || resource.phase() == Observation.Phase.ROLLING_BACK;
    Spec newest = seenNewest;
    if (wanted || newest == null || !job.isUp(environment.healed())) {
      return;
    }
    if (job.spec.content().equals(newest.content())) {
      violated(verb + " a healthy job of the newest spec");
    }
    Spec frozen = resource.frozen();
    if (!newest.valid() && frozen != null && job.spec.generation() == frozen.generation()) {
      violated(verb + " a job because of an invalid spec");
    }
  }

  /** Another job is recorded to be started instead: its creation was late. */
  private boolean isToBeReplaced(FlinkJob job) {
    ResourceModel it = environment.resource();
    return it.begun() && it.recorded() != null && !it.recorded().starts(job.jobId);
  }

  private boolean stateMayGo() {
    ResourceModel resource = environment.resource();
    return resource.deleting()
        || Spec.isStateless(resource.frozen())
        || wentBack
        || resource.phase() == Observation.Phase.ROLLING_BACK
        || (resource.stable() == null && abortAsked);
  }

  private boolean stateMayBeLost(boolean back) {
    return back
        ? stableStateGivenUp
        : stateGivenUp
            || Spec.isStateless(environment.resource().frozen())
            || (wentBack && stableStateGivenUp);
  }

  /** Going forward, the next job must have come as far as this. */
  private long required() {
    if (last == null || isFirstStart()) {
      Spec frozen = environment.resource().frozen();
      return frozen == null ? 0 : Snapshot.progress(storage.find(frozen.initialSavepointPath()));
    }
    if (wentBack && !stateGivenUp && !last.finishedByItself()) {
      return progressOfStable();
    }
    return stateGivenUp || last.finishedByItself()
        ? 0
        : Snapshot.progress(beginsAgain ? last.restoredFrom : last.newestEver());
  }

  private long progressOfStable() {
    return stableJob == null || stableJob.finishedByItself()
        ? 0
        : Snapshot.progress(stableJob.newestEver());
  }

  private long recordedProgress() {
    RestorePoint recorded = environment.resource().recorded();
    return recorded == null ? -1 : progress(recorded.state());
  }

  private long progress(StateRef state) {
    if (state instanceof StateRef.HaMetadata metadata) {
      var known = environment.kubernetes().metadata.get(metadata.jobId());
      return known == null ? 0 : Snapshot.progress(known.checkpoint());
    }
    return Snapshot.progress(storage.find(state.pathOrNull()));
  }
}
