package dev.sluice.controller.deployment;

import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.OperationState;
import dev.sluice.api.deployment.OperationStatus;
import dev.sluice.api.deployment.OperationType;
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
public final class DeploymentDecision {

  private DeploymentDecision() {}

  /** What is to be done now. */
  public static Decision decide(Situation situation) {
    if (situation.stage() == Stage.DELETING) {
      return deleting(situation);
    }
    Optional<Request> request = Requests.pending(situation);
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

  private static Decision deleting(Situation situation) {
    if ("true".equals(situation.annotation(Annotations.FORCE_DELETE))) {
      return new RemoveFinalizer(true);
    }
    OperationStatus operation = situation.operation();
    LaneSeen lane = situation.seen().lane();
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
        Titles.summary(situation, OperationType.DELETE),
        Titles.details(situation, OperationType.DELETE, null),
        known,
        null);
  }

  private static boolean isDeleted(Situation situation, @Nullable OperationStatus operation) {
    return operation != null
        && operation.type() == OperationType.DELETE
        && operation.state() == OperationState.SUCCEEDED
        && situation.ref().laneId().equals(operation.workflowId());
  }

  /** A run that another controller started this very moment has frozen nothing and finds nobody. */
  private static boolean nothingBegan(Situation situation) {
    return situation.operation() == null
        && situation.status().reconciliationStatus() == null
        && situation.seen().lane().told() == null
        && !situation.seen().lane().deletionTold()
        && !situation.seen().cluster().present();
  }

  /** A request is for an operation, so the one that the spec wants comes first. */
  private static boolean mustStartFirst(Situation situation) {
    return situation.stage() == Stage.WANTED
        && !situation.seen().lane().knows(situation.generation());
  }

  private static Decision answer(Situation situation, Request request) {
    if (request instanceof Request.Retry && situation.stage() == Stage.GIVEN_UP) {
      return start(situation, situation.generation(), false, request);
    }
    return new Signal(request);
  }

  /** The lane of an operation that is not at its end has an open run, and it knows the newest. */
  private static Decision keepOpen(Situation situation) {
    LaneSeen lane = situation.seen().lane();
    long generation =
        situation.violations().isEmpty()
            ? Math.max(situation.generation(), situation.target())
            : situation.target();
    if (generation > situation.target() && !lane.knows(generation)) {
      return start(situation, generation, false, null);
    }
    return lane.fresh() ? new Nothing() : start(situation, generation, true, null);
  }

  private static Decision start(Situation situation) {
    LaneSeen lane = situation.seen().lane();
    if (!lane.knows(situation.generation())) {
      return start(situation, situation.generation(), false, null);
    }
    return lane.fresh() ? new Nothing() : start(situation, situation.generation(), true, null);
  }

  private static Start start(
      Situation situation, long generation, boolean unlessOpen, @Nullable Request answering) {
    OperationType type = situation.bringing();
    return new Start(
        type,
        generation,
        Titles.summary(situation, type),
        Titles.details(situation, type, answering),
        unlessOpen,
        answering);
  }
}
