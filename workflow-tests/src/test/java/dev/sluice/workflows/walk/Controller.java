package dev.sluice.workflows.walk;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.RecoveryCause;
import dev.sluice.api.common.RecoveryStatus;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.environment.Environment;
import dev.sluice.workflows.environment.HostModel;
import dev.sluice.workflows.environment.RescaleEffects;
import dev.sluice.workflows.environment.ResourceEffects;
import dev.sluice.workflows.environment.ResourceModel;
import dev.sluice.workflows.environment.Spec;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.operation.LaneSignals;
import dev.sluice.workflows.operation.OperationInput;
import dev.sluice.workflows.operation.OperationInput.SeenUnhealthy;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import org.jspecify.annotations.Nullable;

/** Does what the real controller does: sees that an operation is needed, and starts it. */
final class Controller {

  private final Lane lane;
  private final Engine server;

  Controller(Lane lane, Engine server) {
    this.lane = lane;
    this.server = server;
  }

  /** Starts what is needed. False when nothing is. */
  boolean reconcile() {
    Environment environment = lane.environment();
    ResourceModel resource = environment.resource();
    synchronized (environment) {
      if (!resource.exists()) {
        return false;
      }
      if (resource.deleting()) {
        if (deleted(resource)) {
          environment.effect("release the finalizer");
          resource.remove();
          return false;
        }
      }
    }
    if (resource.deleting()) {
      start("Delete");
      return true;
    }
    if (resource.operation() != null
        && !resource.operation().state().isOpen()
        && !resource.begun()
        && resource.rollback().take()) {
      rollBack();
      return true;
    }
    String operation = wanted(environment);
    if (operation == null) {
      return false;
    }
    if (operation.equals("Recover")) {
      recover();
    } else {
      start(operation);
    }
    if (!operation.equals("Finish")) {
      // what was requested while no run was open
      tellRollback();
    }
    return true;
  }

  private static boolean deleted(ResourceModel resource) {
    OperationReport operation = resource.operation();
    return operation != null
        && operation.run().operation().equals("Delete")
        && operation.state() == OperationState.SUCCEEDED;
  }

  private static @Nullable String wanted(Environment environment) {
    synchronized (environment) {
      ResourceModel resource = environment.resource();
      OperationReport operation = resource.operation();
      Spec newest = resource.newest();
      Spec frozen = resource.frozen();
      boolean endedBadly = operation != null && operation.state() == OperationState.ABORTED;
      if (resource.begun() && !endedBadly) {
        return resource.phase() == Phase.ROLLING_BACK ? "Rollback" : goingOn(resource);
      }
      if (operation != null && operation.state().isOpen()) {
        // nobody carries it on: this is asked only while no run is open
        return goingOn(resource);
      }
      String lost = isLost(environment) ? "Recover" : null;
      if (resource.isNewestGivenUp() || newest.problem() != null) {
        return lost;
      }
      boolean deployed =
          frozen != null && !resource.begun() && frozen.content().equals(newest.content());
      if (deployed) {
        HostModel host = environment.host();
        boolean leaves = host != null && host.waitsForJob() && !frozen.suspended();
        return leaves ? "Upgrade" : environment.mustFinish() ? "Finish" : lost;
      }
      return bringing(resource);
    }
  }

  private static boolean isLost(Environment environment) {
    ResourceModel resource = environment.resource();
    OperationReport operation = resource.operation();
    Spec frozen = resource.frozen();
    boolean left =
        operation != null
            && operation.run().operation().equals("Recover")
            && operation.state() == OperationState.ABORTED;
    if (frozen == null || frozen.suspended() || resource.begun()) {
      return false;
    }
    RecoveryCause loss = loss(environment, frozen);
    RecoveryStatus counted = resource.recovery();
    boolean same = counted == null || counted.cause() == loss;
    return loss != null && !(left && same);
  }

  private static @Nullable RecoveryCause loss(Environment environment, Spec frozen) {
    if (environment.lostJobManager()) {
      return RecoveryCause.JOB_MANAGER_MISSING;
    }
    if (environment.tellsUnhealthy()) {
      return RecoveryCause.UNHEALTHY;
    }
    return restartsFailed(environment, frozen) ? RecoveryCause.JOB_FAILED : null;
  }

  private static boolean restartsFailed(Environment environment, Spec frozen) {
    return environment.jobFailed() && frozen.content().contains(ResourceEffects.RESTARTS_FAILED);
  }

  /** What carries on an operation whose run is lost. */
  private static String goingOn(ResourceModel resource) {
    OperationReport operation = resource.operation();
    boolean recovers =
        operation != null
            && operation.run().operation().equals("Recover")
            && operation.state().isOpen();
    return recovers ? "Recover" : bringing(resource);
  }

  private void recover() {
    Environment environment = lane.environment();
    RecoveryStatus known = environment.resource().recovery();
    RecoveryCause begun = known == null ? null : known.cause();
    RecoveryCause cause =
        environment.resource().begun() && begun != null
            ? begun
            : environment.tellsUnhealthy()
                ? RecoveryCause.UNHEALTHY
                : environment.jobFailed()
                    ? RecoveryCause.JOB_FAILED
                    : RecoveryCause.JOB_MANAGER_MISSING;
    OperationInput asked =
        OperationInput.of(lane.ref(), newest(), cause.wire()).withRecovery(cause);
    start(
        "Recover",
        cause == RecoveryCause.UNHEALTHY
            ? asked.withSeenUnhealthy(
                new SeenUnhealthy(environment.observation().cluster().jobId(), 0L, null))
            : asked);
  }

  private static String bringing(ResourceModel resource) {
    if (resource.newest().suspended()) {
      return "Suspend";
    }
    if (!resource.begun() && resource.frozen() != null && resource.frozen().suspended()) {
      return "Resume";
    }
    if (!resource.begun()
        && resource.frozen() != null
        && RescaleEffects.isAsked(resource.stable(), resource.newest())) {
      return "Rescale";
    }
    boolean ranBefore =
        resource.frozen() != null && (!resource.begun() || resource.stable() != null);
    return ranBefore ? "Upgrade" : "Deploy";
  }

  /** The newest generation is told to the run that is open, or starts one. */
  void tellNewest() {
    ResourceModel resource = lane.environment().resource();
    boolean valid = resource.newest().problem() == null;
    if (valid && resource.exists() && !resource.deleting() && !bringsNewest(resource)) {
      start(bringing(resource));
    }
  }

  /** The open operation brings the same spec, under an older generation at most. */
  private static boolean bringsNewest(ResourceModel resource) {
    OperationReport operation = resource.operation();
    Spec frozen = resource.frozen();
    return operation != null
        && operation.state().isOpen()
        && frozen != null
        && frozen.content().equals(resource.newest().content());
  }

  /** The request is handed to the run that is open; else {@link #reconcile} looks at it. */
  void tellRollback() {
    boolean open =
        server.status(lane.ref()) == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    if (open && lane.environment().resource().rollback().take()) {
      lane.signal(LaneSignals.ROLLBACK, "asked for by the case");
    }
  }

  private void rollBack() {
    server.signalWithStart(
        lane.ref(),
        "Rollback",
        OperationInput.of(lane.ref(), newest(), "the case").withRetry(true),
        LaneSignals.ROLLBACK,
        "asked for by the case");
    lane.environment().note("controller: Rollback");
  }

  private void start(String operation) {
    OperationInput asked = OperationInput.of(lane.ref(), newest(), "the case");
    Spec deployed = lane.environment().deployed();
    boolean remembered = deployed != null && deployed.shape().highAvailability();
    OperationInput told =
        operation.equals("Finish") && remembered ? asked.withKeepsCluster(true) : asked;
    start(operation, told);
  }

  private long newest() {
    return lane.environment().resource().newest().generation();
  }

  private void start(String operation, OperationInput input) {
    long generation = newest();
    if (operation.equals("Delete")) {
      server.signalWithStart(lane.ref(), operation, input, LaneSignals.DELETE);
    } else {
      server.signalWithStart(lane.ref(), operation, input, LaneSignals.RETARGET, generation);
    }
    lane.environment().note("controller: " + operation + " " + generation);
  }
}
