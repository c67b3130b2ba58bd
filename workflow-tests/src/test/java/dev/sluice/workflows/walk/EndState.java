package dev.sluice.workflows.walk;

import dev.sluice.api.common.OperationState;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.Invariants;
import dev.sluice.workflows.environment.RescaleEffects;
import dev.sluice.workflows.environment.ResourceModel;
import dev.sluice.workflows.environment.Spec;

/** What must be so when nobody has anything left to do. */
final class EndState {

  private static final int LONG_ENOUGH = 60;

  private final Environment environment;
  private final ResourceModel resource;
  private final Invariants invariants;

  EndState(Environment environment) {
    this.environment = environment;
    this.resource = environment.resource();
    this.invariants = environment.invariants();
  }

  void verify() {
    environment.heal();
    environment.tick(LONG_ENOUGH);
    if (!resource.exists()) {
      // what a removal by force leaves is the garbage collector's
      return;
    }
    if (resource.deleting()) {
      invariants.violated("the deletion did not end");
      return;
    }
    operationHasEnded();
    if (resource.rollback().isLeftUnanswered()) {
      invariants.violated("a rollback request was handed over, and its annotations are left");
    }
    if (resource.stable() != null && resource.stable().suspended() && invariants.jobIsLive()) {
      invariants.violated("a suspended job runs");
    }
    if (resource.stable() == null) {
      nothingRunsUnlessWanted();
      return;
    }
    Spec wanted = resource.isNewestGivenUp() ? resource.stable() : target();
    Spec deployed = environment.deployed();
    if (deployed != null && !deployed.content().equals(wanted.content())) {
      invariants.violated("%s is deployed, not %s".formatted(deployed, wanted));
    }
    if (!resource.stable().content().equals(wanted.content())) {
      invariants.violated("%s is stable, not %s".formatted(resource.stable(), wanted));
    }
    String parallelism = RescaleEffects.wrong(environment);
    if (parallelism != null) {
      invariants.violated(parallelism);
    }
    if (resource.begun()) {
      invariants.violated("an operation is begun and nobody carries it on");
    }
    if (deployed != null
        && !invariants.jobIsUp()
        && !invariants.jobHasEnded()
        && !isLeftWithoutTaskManagers()) {
      invariants.violated("no job runs");
    }
  }

  /** A person has aborted the recovery from that. */
  private boolean isLeftWithoutTaskManagers() {
    OperationReport operation = resource.operation();
    return invariants.lacksTaskManagers()
        && invariants.isAbortAsked()
        && operation != null
        && operation.run().operation().equals("Recover")
        && operation.state() == OperationState.ABORTED;
  }

  /** The newest spec, or, when it is not valid, the one before. */
  private Spec target() {
    Spec newest = resource.newest();
    Spec frozen = resource.frozen();
    return newest.problem() == null || frozen == null ? newest : frozen;
  }

  private void operationHasEnded() {
    OperationReport operation = resource.operation();
    OperationState state = operation == null ? null : operation.state();
    if (state == OperationState.RUNNING
        || state == OperationState.PARKED
        || state == OperationState.BLOCKED) {
      invariants.violated("no run is open, and the status says " + state);
    }
  }

  private void nothingRunsUnlessWanted() {
    if (resource.isNewestGivenUp()) {
      if (invariants.jobIsLive()) {
        invariants.violated("the first deployment was aborted, and its job runs");
      }
    } else if (resource.newest().problem() == null) {
      invariants.violated("nothing was ever stable");
    }
  }
}
