package dev.sluice.workflows.application;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.CancelVersionRequest.OnlyIf;
import dev.sluice.workflows.application.ApplicationActivities.DeleteVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.FindStateRequest;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes, scales and removes the clusters of versions. */
final class VersionSteps {

  private final StepRunner steps;
  private final ApplicationLog log;
  private final ApplicationMemory memory;

  VersionSteps(StepRunner steps, ApplicationLog log, ApplicationMemory memory) {
    this.steps = steps;
    this.log = log;
    this.memory = memory;
  }

  void create(VersionRef version) {
    String what = "Create the cluster " + version.display();
    log.effect(Step.CREATE_VERSION, what, a -> a.create(log.request(version, 0)));
    log.done(what);
  }

  void scale(VersionRef version) {
    String what = "Scale %s for %s".formatted(version.cluster(), version.hash());
    log.effect(Step.SCALE_VERSION, what, a -> a.scale(log.request(version, 0)));
    log.done(what);
  }

  /** Empty when it could not be waited for. */
  Optional<VersionReady> await(VersionRef version) {
    long deadline = memory.deadline("cluster " + version.display(), log.limits().clusterMs());
    return log.await(
        Step.AWAIT_VERSION,
        "Wait for the cluster " + version.display(),
        deadline,
        a -> a.awaitCluster(log.request(version, deadline)));
  }

  /**
   * Has the cluster of a version that ran before, and waits until it is ready.
   *
   * @return whether it was ready; one that has become so may have brought its jobs with it
   */
  boolean isReadyAgain(VersionRef version, VersionSeen.Cluster seen) {
    if (seen == VersionSeen.Cluster.READY) {
      return true;
    }
    if (seen.lacks()) {
      create(version);
    }
    Optional<VersionReady> ready = await(version);
    if (ready.isPresent() && ready.get() instanceof VersionReady.NotReady not) {
      memory.stuck();
      log.blocked(Step.AWAIT_VERSION, not.reason(), not.why());
    } else if (ready.isPresent() && ready.get() instanceof VersionReady.Ready is) {
      log.goesOn(Step.AWAIT_VERSION, version.display() + ": " + is.how());
    }
    return false;
  }

  void cutOver(VersionRef version) {
    if (isIncomplete(version)) {
      create(version);
    }
    String what = "Point the Service at " + version.display();
    log.effect(Step.CUT_OVER, what, a -> a.cutOver(log.request(version, 0)));
    log.done(what);
  }

  private boolean isIncomplete(VersionRef version) {
    VersionSeen seen = log.seen().of(version);
    return seen != null && seen.cluster() == VersionSeen.Cluster.INCOMPLETE;
  }

  /** Its job goes with it. */
  void delete(VersionRef version) {
    String what = "Delete the cluster " + version.display();
    boolean unused =
        steps.runToCompletion(
            Step.DELETE_VERSION,
            what,
            Duration.ofMillis(log.limits().goneMs()),
            ApplicationActivities.class,
            (a, deadline) -> {
              a.delete(new DeleteVersionRequest(log.request(version, deadline), false));
              return true;
            });
    log.done(what);
  }

  void deleteLeftovers() {
    log.seen().leftovers().stream().filter(this::isLeftOver).forEach(this::delete);
  }

  private boolean isLeftOver(VersionRef version) {
    ApplicationRecord known = log.known();
    return !isSameCluster(version, known.deployed())
        && !isSameCluster(version, known.target())
        && !isSameCluster(version, known.leaving());
  }

  private static boolean isSameCluster(VersionRef one, @Nullable VersionRef other) {
    return other != null && one.cluster().equals(other.cluster()) && one.colour() == other.colour();
  }

  /** Whether the job has surely ended; the run was held where it has not. */
  boolean isCancelled(VersionRef version) {
    Optional<CancelOutcome> outcome = cancel(version, OnlyIf.ANY_CASE, 0);
    if (outcome.isEmpty()) {
      return false;
    }
    if (outcome.get() instanceof CancelOutcome.Unknown unknown) {
      log.blocked(Step.CANCEL_VERSION_JOB, Reasons.JOB_MANAGER_SILENT, unknown.why());
      return false;
    }
    log.goesOn(Step.CANCEL_VERSION_JOB, "The job of %s has ended".formatted(version.display()));
    return true;
  }

  /** Empty when it failed, and the run was held for that. */
  Optional<CancelOutcome> cancel(VersionRef version, OnlyIf onlyIf, long maxAgeMs) {
    long deadline = Workflow.currentTimeMillis() + log.limits().cancelMs();
    return log.carryOut(
        Step.CANCEL_VERSION_JOB,
        "Cancel the job of " + version.display(),
        deadline,
        a -> a.cancel(new CancelVersionRequest(log.request(version, deadline), onlyIf, maxAgeMs)));
  }

  /**
   * Whether the job of that version surely does not run, though it cannot be seen; the run was held
   * where it may.
   */
  boolean isDown(VersionRef version) {
    long deadline = Workflow.currentTimeMillis() + log.limits().cancelMs();
    String what = "Make sure that the job of %s does not run".formatted(version.display());
    Optional<FoundState> found =
        log.await(
            Step.FIND_VERSION_STATE,
            what,
            deadline,
            a -> a.findState(new FindStateRequest(log.request(version, deadline), Long.MAX_VALUE)));
    if (found.isEmpty()) {
      return false;
    }
    // permanently: no JobManager has it, and which state it has left is for a person to say
    if (found.get() instanceof FoundState.Unknown unknown && !unknown.forGood()) {
      log.blocked(
          Step.FIND_VERSION_STATE,
          Reasons.JOB_MANAGER_SILENT,
          "The job of %s may run: %s. If its JobManager will never answer again, delete its Deployments"
              .formatted(version.display(), unknown.why()));
      return false;
    }
    log.goesOn(Step.FIND_VERSION_STATE, what);
    boolean down = !(found.get() instanceof FoundState.Alive);
    if (down) {
      memory.down(version.jobId());
    }
    return down;
  }

  /**
   * Removes the target, and with it its job.
   *
   * @return false when its job may still run
   */
  boolean removeTarget() {
    ApplicationRecord known = log.known();
    VersionRef target = log.target();
    if (!ApplicationLook.isInPlace(known)) {
      delete(target);
      return true;
    }
    if (target.jobId() != null && !isCancelled(target)) {
      return false;
    }
    // of a cluster that is not whole, what is there is the deployed version's again
    scale(log.deployed());
    return true;
  }
}
