package dev.sluice.workflows.environment;

import dev.sluice.workflows.environment.KubernetesModel.Deployment;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was seen of a resource and its jobs so far: what the {@link Invariants} are judged by. */
abstract class Evidence {

  final Environment environment;
  final StateStorage storage;
  final List<String> violations = new ArrayList<>();
  @Nullable FlinkJob last;
  final List<FlinkJob> jobs = new ArrayList<>();
  @Nullable FlinkJob stableJob;
  @Nullable String stableJobId;
  @Nullable String unhealthyJob;
  @Nullable Spec seenNewest;
  @Nullable StateRef chosenByPerson;

  /** Jobs that were up for a while, as their specs ask for. */
  final Set<String> proved = new LinkedHashSet<>();

  /** Jobs that were up while it was waited until they prove themselves. */
  final Set<String> proving = new LinkedHashSet<>();

  final FailedJobs failed = new FailedJobs();
  final Set<String> jobsBegun = new LinkedHashSet<>();
  boolean beginsAgain;
  boolean stateGivenUp;
  boolean stableStateGivenUp;
  boolean abortAsked;

  /** A person does not want to wait for what can be waited for. */
  public boolean retryAsked;

  boolean stopInDoubt;
  boolean wentBack;
  long abortedGeneration;

  Evidence(Environment environment, StateStorage storage) {
    this.environment = environment;
    this.storage = storage;
  }

  /** What was broken, in order; empty when all is well. */
  public List<String> violations() {
    synchronized (environment) {
      return List.copyOf(violations);
    }
  }

  /** Notes a rule that was broken. */
  public void violated(String rule) {
    synchronized (environment) {
      environment.note("VIOLATION " + rule);
      if (!violations.contains(rule)) {
        violations.add(rule);
      }
    }
  }

  /** Whether somebody asked to go back. */
  public boolean isAbortAsked() {
    synchronized (environment) {
      return abortAsked;
    }
  }

  /** Somebody asked to go back. */
  public void abortAsked() {
    synchronized (environment) {
      abortAsked = true;
    }
  }

  /** Somebody begins an aborted run again and leaves the abort out: that is a new request. */
  public void abortLeftOut() {
    synchronized (environment) {
      abortedGeneration = 0;
    }
  }

  /** A stop was not answered, or its run was terminated: it may still take effect. */
  public void stopInDoubt() {
    synchronized (environment) {
      stopInDoubt = true;
    }
  }

  /** Ids of the jobs that have begun, in order. */
  public List<String> jobsBegun() {
    synchronized (environment) {
      return List.copyOf(jobsBegun);
    }
  }

  /** Path of the newest state that exists; null when there is none. */
  public @Nullable String newestPath() {
    synchronized (environment) {
      Snapshot newest = last == null ? null : last.newestEver();
      return storage.has(newest) ? newest.path() : null;
    }
  }

  /** What that job leaves is gone back to, and resumed; null when there is no job. */
  void stable(@Nullable FlinkJob job) {
    stableJob = job;
    stableJobId = job == null ? null : job.jobId;
  }

  /** Whether a job of the resource runs with all its tasks. */
  public boolean jobIsUp() {
    synchronized (environment) {
      return (last != null && last.isUp(environment.healed())) || sessionIsUp();
    }
  }

  private boolean sessionIsUp() {
    var own = environment.ownDeployment();
    JobManagerProcess process = own == null ? null : own.process();
    return process != null
        && SessionModel.is(process.spec)
        && process.phase() == JobManagerProcess.Phase.UP;
  }

  /** Whether the last job of the resource has ended for good. */
  public boolean jobHasEnded() {
    synchronized (environment) {
      return last != null && last.state().isGloballyTerminal();
    }
  }

  /**
   * Whether the last job of the resource was last seen in a state that is no end; so is a session
   * cluster always.
   */
  boolean jobHadNotEnded() {
    return SessionModel.is(environment.resource().frozen())
        || (last != null && !last.state().isGloballyTerminal());
  }

  /** Whether nothing makes TaskManagers for the cluster that is deployed. */
  public boolean lacksTaskManagers() {
    synchronized (environment) {
      return !environment.kubernetes().hasTaskManagers();
    }
  }

  /** Whether the job that is not healthy is still there. */
  boolean isUnhealthy() {
    var own = environment.ownDeployment();
    return own != null
        && (own.jobId().equals(unhealthyJob) || lacksTaskManagers())
        && jobHadNotEnded();
  }

  /** Whether a job of the resource has not ended. */
  public boolean jobIsLive() {
    synchronized (environment) {
      return !environment.kubernetes().liveJobs().isEmpty();
    }
  }

  /**
   * Without high availability and never up for long, Flink begins from what was rendered, again.
   */
  boolean kubernetesBeginsAgain(Deployment deployment) {
    JobManagerProcess process = deployment.process();
    return process != null
        && process.phase() != JobManagerProcess.Phase.UP
        && !process.spec.shape().highAvailability()
        && !deployment.jobId().equals(stableJobId)
        && !proving.contains(deployment.jobId());
  }

  /** The state is the one that a person has chosen. */
  boolean chosen(@Nullable RestorePoint recorded) {
    return recorded != null && recorded.state().equals(chosenByPerson);
  }

  /** Nothing was ever stable, and no job has made a state: the spec names what to start from. */
  boolean isFirstStart() {
    return environment.resource().stable() == null && jobs.stream().noneMatch(FlinkJob::progressed);
  }

  /** A first start is from what the frozen spec names, or a person; its own job may go on. */
  boolean startsAsNamed(StateRef from) {
    Spec frozen = environment.resource().frozen();
    String named = frozen == null ? null : frozen.initialSavepointPath();
    return !isFirstStart()
        || from.equals(chosenByPerson)
        || from instanceof StateRef.HaMetadata
        || Objects.equals(from.pathOrNull(), named);
  }
}
