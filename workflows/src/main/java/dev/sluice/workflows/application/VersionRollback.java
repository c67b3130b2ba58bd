package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationMemory.GivingUp;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationRecord.Start;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a target up. Where the old job was never asked to stop, only what was made for the target
 * is removed. Else the job of the target is made sure to be gone, and the old one is started again
 * on its own cluster, from exactly the recorded state.
 */
final class VersionRollback {

  private final OperationContext context;
  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;
  private final JobStart start;
  private @Nullable String cause;

  VersionRollback(
      OperationContext context,
      ApplicationLog log,
      ApplicationMemory memory,
      VersionSteps clusters) {
    this.context = context;
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
    this.start = new JobStart(log, memory, clusters);
  }

  /** Leaves the deployed version as it is. */
  @Nullable OperationResult giveUp(String why) {
    if (!clusters.removeTarget()) {
      return null;
    }
    clusters.deleteLeftovers();
    return end(why, false);
  }

  /** Starts the deployed version again, or does a part of that. */
  @Nullable OperationResult rollBack(String why) {
    if (log.known().phase() != ApplicationPhase.ROLLING_BACK_JOB) {
      cause = why;
      begin(why);
    }
    if (start.isVerified()) {
      clusters.cutOver(log.deployed());
      return end(cause == null ? why : cause, true);
    }
    VersionSeen deployed = log.seen().deployed();
    VersionSeen.Cluster cluster =
        deployed == null ? VersionSeen.Cluster.MISSING : deployed.cluster();
    boolean submitted = start.isSubmitted(cluster);
    boolean ready =
        submitted || (clusters.removeTarget() && clusters.isReadyAgain(log.deployed(), cluster));
    if (!ready || (start.hasComeBack(deployed) && !isEnded())) {
      return null;
    }
    JobStart.Failed failed = start.run(log.deployed(), submitted);
    if (failed != null) {
      hold(failed);
    }
    return null;
  }

  /** It would go on from another state than the recorded one. */
  private boolean isEnded() {
    Start before = Objects.requireNonNull(log.known().start());
    return clusters.isCancelled(log.deployed().running(before.takenFrom()));
  }

  /** Another attempt has another id. */
  private void begin(String why) {
    ApplicationRecord known = log.known();
    Start before = Objects.requireNonNull(known.start());
    String job = ApplicationMemory.newId();
    log.write(
        known
            .in(ApplicationPhase.ROLLING_BACK_JOB)
            .with(log.deployed().running(job), known.target())
            .starting(before.back(job))
            .taking(null),
        Step.SUBMIT_VERSION_JOB,
        "Start the job of %s again from %s: %s"
            .formatted(log.deployed().display(), before.leftBefore().display(), why),
        ApplicationEvents.DEPLOY_FAILED);
  }

  private void hold(JobStart.Failed failed) {
    String why =
        "The job of %s cannot be started again from %s: %s"
            .formatted(
                log.deployed().display(),
                Objects.requireNonNull(log.known().start()).state().display(),
                failed.why());
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
        Step.SUBMIT_VERSION_JOB,
        failed.reason(),
        why + ". Correct the cause, or change the spec: that starts from the same state");
    if (failed.lives() && !clusters.isCancelled(log.deployed())) {
      return;
    }
    begin("tried again");
  }

  private OperationResult end(String why, boolean rolledBack) {
    ApplicationRecord known = log.known();
    VersionRef target = log.target();
    ApplicationSeen seen = log.seen();
    boolean valid = seen.problem() == null;
    String newest = seen.wanted().fullHash();
    boolean back = valid && known.deployed() != null && newest.equals(known.deployed().fullHash());
    boolean same = back || (valid && newest.equals(target.fullHash()));
    Hashes hashes =
        new Hashes(
            back ? null : target.hash(),
            known.hashes().tornDown(),
            known.hashes().inPlaceFrom(),
            back ? null : target.fullHash());
    ApplicationRecord ended =
        known
            .in(back ? ApplicationPhase.RUNNING : ApplicationPhase.DEPLOY_FAILED)
            .with(known.deployed(), null)
            .starting(null)
            .taking(null)
            .with(hashes)
            .settled(same ? seen.generation() : target.generation());
    String message = words(why, target, rolledBack);
    context.signals().forgetRetry();
    GivingUp reason = memory.givingUp();
    if (reason == null || back) {
      log.write(
          ended,
          context.report(
              back ? OperationState.SUCCEEDED : OperationState.FAILED,
              Step.RECORD_VERSIONS,
              back ? null : Reasons.OPERATION_FAILED,
              message,
              rolledBack ? ApplicationEvents.ROLLBACK_SUCCEEDED : ApplicationEvents.DEPLOY_FAILED));
    } else {
      log.write(
          ended,
          context.report(
              reason.state(),
              Step.RECORD_VERSIONS,
              reason.reason(),
              message,
              rolledBack ? ApplicationEvents.ROLLBACK_SUCCEEDED : ApplicationEvents.DEPLOY_FAILED));
    }
    memory.ended();
    return new OperationResult(
        rolledBack ? OperationResult.ROLLED_BACK : OperationResult.ABORTED,
        known.deployed() == null ? 0 : known.deployed().generation(),
        message);
  }

  private String words(String why, VersionRef target, boolean rolledBack) {
    VersionRef deployed = log.known().deployed();
    String now =
        deployed == null
            ? "nothing is deployed"
            : deployed.display()
                + (rolledBack ? " runs again from the recorded state" : " was left as it is");
    return "%s was given up (%s): %s".formatted(target.display(), why, now);
  }
}
