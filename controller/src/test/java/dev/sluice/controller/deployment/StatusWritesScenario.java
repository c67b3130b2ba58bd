package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.controller.common.StatusEvent;
import dev.sluice.controller.job.JobPlanner;
import dev.sluice.controller.operation.ReconcileAction;
import dev.sluice.controller.status.PlanEvents;
import dev.sluice.controller.support.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A resource along its course: what is written, and what is told. */
abstract class StatusWritesScenario {

  final MovableClock clock = new MovableClock(Deployed.NOW);
  final DeploymentProjection projection = new DeploymentProjection(clock);
  final List<String> writes = new ArrayList<>();
  final List<StatusEvent> events = new ArrayList<>();
  final Deployed resource = Deployed.running();

  final void given_a_settled_resource() {
    reconcile(resource);
    writes.clear();
    events.clear();
    clock.forward(Duration.ofMinutes(1));
  }

  /** Time passes, and the reconciler comes back as often as it could. */
  final void pass(Duration time) {
    for (Duration left = time; !left.isZero(); left = left.minusMillis(100)) {
      clock.forward(Duration.ofMillis(100));
      reconcile(resource);
    }
  }

  /** One reconciliation: what differs is written, as the reconciler does. */
  final void reconcile(Deployed given) {
    // what is dated is told once
    PlanEvents.of(given.snapshot())
        .filter(
            it ->
                events.stream()
                    .noneMatch(told -> told.at() != null && told.subject().equals(it.subject())))
        .ifPresent(events::add);
    SeenDeployment snapshot = given.snapshot();
    FlinkDeploymentStatus wanted = wanted(snapshot);
    if (projection.owned(given.resource()).equals(wanted)) {
      return;
    }
    var ready = wanted.condition("Ready").orElseThrow();
    writes.add(
        "Ready=%s/%s %s"
            .formatted(
                ready.getStatus(),
                ready.getReason(),
                wanted.jobStatus() == null ? "" : wanted.jobStatus().state()));
    events.addAll(DeploymentEvents.of(snapshot, wanted));
    given.status(
        wanted
            .withOperation(snapshot.status().operation())
            .withReconciliationStatus(snapshot.status().reconciliationStatus()));
  }

  final FlinkDeploymentStatus wanted(SeenDeployment snapshot) {
    ReconcileAction decision = JobPlanner.decide(snapshot);
    return projection.project(snapshot, decision);
  }

  final FlinkJobState state() {
    return resource.resource().getStatus().jobStatus().state();
  }

  final List<String> reasons() {
    return events.stream().map(StatusEvent::reason).toList();
  }
}
