package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.OperationType;
import dev.sluice.controller.deployment.Decision.Nothing;
import dev.sluice.controller.deployment.Decision.Refuse;
import dev.sluice.controller.deployment.Decision.RemoveFinalizer;
import dev.sluice.controller.deployment.Decision.Signal;
import dev.sluice.controller.deployment.Decision.Start;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides <em>that</em> something is to be done about a FlinkDeployment; how is the workflow's to
 * decide. Pure and level-triggered: it looks at how things are, never at what has just happened.
 */
public final class DeploymentPlanner {

  private DeploymentPlanner() {}

  /** What is to be done now. */
  public static Decision decide(DeploymentSnapshot situation) {
    if (situation.stage() == DeploymentPhase.DELETING) {
      return deleting(situation);
    }
    Optional<Request> request = AnnotationRequests.pending(situation);
    if (request.isPresent() && !mustStartFirst(situation)) {
      return answer(situation, request.get());
    }
    Decision decision =
        switch (situation.stage()) {
          case RUNNING, PARKED -> keepOpen(situation);
          case WANTED -> start(situation);
          case GIVEN_UP, REFUSED, SETTLED, DELETING -> new Nothing();
        };
    return decision instanceof Nothing && !situation.violations().isEmpty()
        ? new Refuse(situation.violations())
        : decision;
  }

  private static Decision deleting(DeploymentSnapshot situation) {
    if ("true".equals(situation.annotation(Annotations.FORCE_DELETE))) {
      return new RemoveFinalizer(true);
    }
    OperationStatus operation = situation.operation();
    WorkflowState lane = situation.seen().lane();
    if (isDeleted(situation, operation) || nothingBegan(situation)) {
      return new RemoveFinalizer(false);
    }
    if (lane.fresh() && lane.deletionTold()) {
      return new Nothing();
    }
    boolean known =
        lane.deletionTold() || (operation != null && operation.type() == OperationType.DELETE);
    return new Start(
        OperationType.DELETE,
        situation.generation(),
        WorkflowSummary.summary(situation, OperationType.DELETE),
        WorkflowSummary.details(situation, OperationType.DELETE, null),
        known,
        null);
  }

  private static boolean isDeleted(
      DeploymentSnapshot situation, @Nullable OperationStatus operation) {
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && situation.ref().laneId().equals(operation.workflowId());
  }

  /** A run that another controller started this very moment has frozen nothing and finds nobody. */
  private static boolean nothingBegan(DeploymentSnapshot situation) {
    return situation.operation() == null
        && situation.status().reconciliationStatus() == null
        && situation.seen().lane().told() == null
        && !situation.seen().lane().deletionTold()
        && !situation.seen().cluster().present();
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private static boolean mustStartFirst(DeploymentSnapshot situation) {
    return situation.stage() == DeploymentPhase.WANTED
        && !situation.seen().lane().knows(situation.generation());
  }

  private static Decision answer(DeploymentSnapshot situation, Request request) {
    if (request instanceof Request.Retry && situation.stage() == DeploymentPhase.GIVEN_UP) {
      return start(situation, situation.generation(), false, request);
    }
    return new Signal(request);
  }

  /** The lane of an operation that is not at its end has an open run, and it knows the newest. */
  private static Decision keepOpen(DeploymentSnapshot situation) {
    WorkflowState lane = situation.seen().lane();
    long generation =
        situation.violations().isEmpty()
            ? Math.max(situation.generation(), situation.target())
            : situation.target();
    if (generation > situation.target() && !lane.knows(generation)) {
      return start(situation, generation, false, null);
    }
    return lane.fresh() ? new Nothing() : start(situation, generation, true, null);
  }

  private static Decision start(DeploymentSnapshot situation) {
    WorkflowState lane = situation.seen().lane();
    if (!lane.knows(situation.generation())) {
      return start(situation, situation.generation(), false, null);
    }
    return lane.fresh() ? new Nothing() : start(situation, situation.generation(), true, null);
  }

  private static Start start(
      DeploymentSnapshot situation,
      long generation,
      boolean unlessOpen,
      @Nullable Request answering) {
    OperationType type = situation.bringing();
    return new Start(
        type,
        generation,
        WorkflowSummary.summary(situation, type),
        WorkflowSummary.details(situation, type, answering),
        unlessOpen,
        answering);
  }
}
