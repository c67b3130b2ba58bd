package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.application.ApplicationActivities.PromotionRequest;
import dev.sluice.workflows.application.ApplicationDecision.KeepBoth;
import dev.sluice.workflows.application.ApplicationDecision.TearDown;
import dev.sluice.workflows.application.ApplicationRecord.Hashes;
import dev.sluice.workflows.application.ApplicationSeen.PromotionGates;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of two versions that run: both stay, or one is removed. That which stays is the
 * deployed one from the moment that this is recorded, and is never touched.
 */
final class VersionTearDown {

  /** A wait without a limit of its own looks again after this time. */
  private static final Duration LOOK_AGAIN = Duration.ofHours(1);

  private final OperationContext context;
  private final ApplicationLog log;
  private final ApplicationMemory memory;
  private final VersionSteps clusters;

  VersionTearDown(
      OperationContext context,
      ApplicationLog log,
      ApplicationMemory memory,
      VersionSteps clusters) {
    this.context = context;
    this.log = log;
    this.memory = memory;
    this.clusters = clusters;
  }

  /** Removes one version and its job; null where that is to be tried again. */
  @Nullable OperationResult tearDown(TearDown decision) {
    VersionRef remove = decision.remove();
    if (log.known().leaving() == null) {
      leaves(remove, decision.keep(), decision.why());
    }
    boolean cancels = remove.jobId() != null && !memory.removesWithoutCancel();
    if (cancels && !clusters.isCancelled(remove)) {
      return null;
    }
    clusters.delete(remove);
    return end(remove);
  }

  private void leaves(VersionRef remove, VersionRef keep, String why) {
    log.write(
        log.known()
            .in(ApplicationPhase.DUAL_RUNNING)
            .starting(null)
            .taking(null)
            .with(keep, null)
            .leaving(remove),
        Step.CANCEL_VERSION_JOB,
        "Remove %s, keep %s: %s".formatted(remove.display(), keep.display(), why),
        ApplicationEvents.TEARDOWN_INITIATED);
  }

  private OperationResult end(VersionRef removed) {
    ApplicationRecord known = log.known();
    VersionRef kept = log.deployed();
    ApplicationSeen seen = log.seen();
    String newest = seen.wanted().fullHash();
    boolean settled =
        seen.problem() == null
            && (newest.equals(kept.fullHash())
                || (newest.equals(removed.fullHash())
                    && removed.hash().equals(seen.wanted().requests().tearDownHash())));
    ApplicationRecord ended =
        known
            .in(ApplicationPhase.RUNNING)
            .leaving(null)
            .with(new Hashes(null, removed.hash(), known.hashes().inPlaceFrom()))
            .settled(settled ? seen.generation() : 0);
    String message = "%s was torn down, %s runs".formatted(removed.display(), kept.display());
    log.write(
        ended,
        context.report(
            OperationState.SUCCEEDED,
            Step.RECORD_VERSIONS,
            null,
            message,
            ApplicationEvents.TEARDOWN_COMPLETED));
    memory.ended();
    return new OperationResult("TornDown", kept.generation(), message);
  }

  /** The result where nothing is waited for but what a person decides. */
  @Nullable OperationResult keepBoth(KeepBoth decision) {
    PromotionGates gates = log.seen().wanted().requests().promotion();
    boolean waits = gates != null && !memory.asked().promotionFailed();
    if (!decision.record().equals(log.known())) {
      log.write(
          decision.record(),
          context.report(
              waits ? OperationState.RUNNING : OperationState.SUCCEEDED,
              waits ? Step.AWAIT_PROMOTION : Step.RECORD_VERSIONS,
              null,
              decision.why(),
              null));
    } else if (!waits && !memory.asked().promotionFailed()) {
      log.reportEnd(Step.RECORD_VERSIONS, decision.why());
    }
    if (gates != null && waits) {
      promote(gates);
      return null;
    }
    return new OperationResult(
        OperationResult.UP_TO_DATE, log.target().generation(), decision.why());
  }

  private void promote(PromotionGates gates) {
    VersionRef target = log.target();
    String what = "Wait until %s has proved itself".formatted(target.display());
    log.tell(Step.AWAIT_PROMOTION, what);
    long deadline = context.in(LOOK_AGAIN);
    Optional<PromotionOutcome> outcome =
        log.await(
            Step.AWAIT_PROMOTION,
            what,
            deadline,
            a -> a.awaitPromotion(new PromotionRequest(log.request(target, deadline), gates)));
    if (outcome.isEmpty()) {
      return;
    }
    if (outcome.get() instanceof PromotionOutcome.Passed passed) {
      leaves(log.deployed(), target, passed.why());
    } else if (outcome.get() instanceof PromotionOutcome.Failed failed) {
      memory.promotionFailed();
      log.report(
          context.report(
              OperationState.FAILED,
              Step.AWAIT_PROMOTION,
              Reasons.NOT_STABLE,
              "%s cannot prove itself, and both versions stay: %s"
                  .formatted(target.display(), failed.why()),
              null));
    } else {
      context.done(((PromotionOutcome.Waiting) outcome.get()).why());
    }
  }
}
