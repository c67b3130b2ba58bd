package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.application.ApplicationDecision.Recover;
import dev.sluice.workflows.application.ApplicationRecord.Recoveries;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import io.temporal.workflow.Workflow;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings back a job that its cluster has lost: find its newest state, record it with the id of
 * another job, have the cluster, start that job, wait until it is up.
 */
final class JobRecovery {

  private final OperationContext context;
  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;
  private final StateTaking states;
  private final JobStart start;

  JobRecovery(
      OperationContext context,
      ApplicationLog log,
      ApplicationMemory memory,
      VersionSteps clusters) {
    this.context = context;
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
    this.states = new StateTaking(context, log, memory, clusters);
    this.start = new JobStart(log, memory, clusters);
  }

  /** Does one step; the result where it was the last one. */
  @Nullable OperationResult recover(Recover recover) {
    VersionRef version = recover.version();
    if (log.known().start() == null) {
      return findState(version, recover.why());
    }
    if (start.isVerified()) {
      return end("%s runs its job again".formatted(version.display()));
    }
    VersionSeen.Cluster cluster = cluster(version);
    boolean submitted = start.isSubmitted(cluster);
    if (!submitted && !clusters.isReadyAgain(version, cluster)) {
      return null;
    }
    if (start.hasComeBack(seen(version))) {
      takeBack(version);
      return null;
    }
    JobStart.Failed failed = start.run(version, submitted);
    if (failed != null) {
      again(version, failed);
    }
    return null;
  }

  private @Nullable VersionSeen seen(VersionRef version) {
    return isTarget(version) ? log.seen().target() : log.seen().deployed();
  }

  private VersionSeen.Cluster cluster(VersionRef version) {
    VersionSeen seen = seen(version);
    return seen == null ? VersionSeen.Cluster.MISSING : seen.cluster();
  }

  /** Whether its cluster has to be made before it is known what became of its job. */
  private boolean isMadeFirst(VersionRef version) {
    VersionSeen seen = seen(version);
    return seen != null
        && seen.cluster() != VersionSeen.Cluster.READY
        && (seen.cluster() == VersionSeen.Cluster.INCOMPLETE || seen.comesBack());
  }

  /** Its cluster has brought the job back that was given up for lost, and nothing else runs. */
  private void takeBack(VersionRef version) {
    ApplicationRecord known = log.known();
    VersionRef running = version.running(Objects.requireNonNull(known.start()).takenFrom());
    boolean target = isTarget(version);
    log.write(
        known
            .in(ApplicationPhase.RECOVERING)
            .with(target ? known.deployed() : running, target ? running : known.target())
            .starting(null),
        Step.FIND_VERSION_STATE,
        "The job of %s has come back".formatted(version.display()),
        null);
  }

  private boolean isTarget(VersionRef version) {
    return version.equals(log.known().target());
  }

  private @Nullable OperationResult findState(VersionRef version, String why) {
    if (log.known().phase() != ApplicationPhase.RECOVERING) {
      log.write(
          log.known().in(ApplicationPhase.RECOVERING),
          Step.FIND_VERSION_STATE,
          why + ". Find its newest state",
          EventReasons.RECOVER_DEPLOYMENT);
    }
    if (isMadeFirst(version) && !clusters.isReadyAgain(version, cluster(version))) {
      return null;
    }
    StateTaking.Search found = find(version);
    if (found.state() != null) {
      record(version, found.state());
    } else if (found.alive()) {
      return end("%s has its job".formatted(version.display()));
    }
    return null;
  }

  /** What it cannot find may be what a newer spec does without. */
  private StateTaking.Search find(VersionRef version) {
    boolean ends = false;
    try {
      StateTaking.Search found = states.find(version);
      ends = found.state() != null || found.alive();
      return found;
    } finally {
      if (!ends) {
        memory.stuck();
      }
    }
  }

  private void record(VersionRef version, StateRef state) {
    ApplicationRecord known = log.known();
    String job = ApplicationMemory.newId();
    VersionRef running = version.running(job);
    boolean target = isTarget(version);
    context.state(state);
    log.write(
        known
            .in(ApplicationPhase.SUBMITTING_JOB)
            .with(target ? known.deployed() : running, target ? running : known.target())
            .starting(new Start(state, version.jobId(), job))
            .with(counted(known.recoveries())),
        Step.SUBMIT_VERSION_JOB,
        "Start the job of %s again from %s".formatted(version.display(), state.display()),
        ApplicationEvents.RESTORING_CHECKPOINT);
  }

  private static Recoveries counted(Recoveries before) {
    long now = Workflow.currentTimeMillis();
    boolean ranLong = now - before.atMs() >= SettledPlanner.LONG.toMillis();
    return new Recoveries(ranLong ? 1 : before.count() + 1, now);
  }

  private void again(VersionRef version, JobStart.Failed failed) {
    String why = "The job of %s does not run: %s".formatted(version.display(), failed.why());
    if (failed.lost()) {
      context.done(why);
      return;
    }
    memory.stuck();
    if (failed.slow()) {
      log.blocked(Step.AWAIT_VERSION_JOB, failed.reason(), why);
      return;
    }
    log.parked(
        Step.SUBMIT_VERSION_JOB, failed.reason(), why + ". Correct the cause, or change the spec");
    if (failed.lives() && !clusters.isCancelled(version)) {
      return;
    }
    ApplicationRecord known = log.known();
    Start before = Objects.requireNonNull(known.start());
    String job = ApplicationMemory.newId();
    VersionRef running = version.running(job);
    boolean target = isTarget(version);
    log.write(
        known
            .with(target ? known.deployed() : running, target ? running : known.target())
            .starting(new Start(before.state(), before.takenFrom(), job)),
        Step.SUBMIT_VERSION_JOB,
        "Start the job of %s again from %s".formatted(version.display(), before.state().display()),
        null);
  }

  private OperationResult end(String message) {
    ApplicationRecord known = log.known();
    ApplicationPhase rest =
        known.hashes().failed() == null ? ApplicationPhase.RUNNING : ApplicationPhase.DEPLOY_FAILED;
    log.write(
        known.in(known.target() == null ? rest : ApplicationPhase.DUAL_RUNNING).starting(null),
        context.report(
            OperationState.SUCCEEDED, Step.RECORD_VERSIONS, null, message, EventReasons.SUBMIT));
    memory.ended();
    return new OperationResult(OperationResult.RECOVERED, log.deployed().generation(), message);
  }
}
