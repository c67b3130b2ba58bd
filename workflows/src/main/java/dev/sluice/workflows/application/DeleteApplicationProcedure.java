package dev.sluice.workflows.application;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.DeleteMode;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.condition.EventReasons;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities.DeleteVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.ObserveRequest;
import dev.sluice.workflows.application.ApplicationActivities.RecordVersionsRequest;
import dev.sluice.workflows.application.ApplicationActivities.VersionRequest;
import dev.sluice.workflows.operation.HandOver;
import dev.sluice.workflows.operation.OperationContext;
import dev.sluice.workflows.operation.OperationResult;
import dev.sluice.workflows.operation.Step;
import dev.sluice.workflows.operation.StepRunner;
import io.temporal.failure.ActivityFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runbook of DeleteApplication: take over what Lyft's operator has left, say so, end the job of
 * each version as deleteMode says, delete every cluster, wait until they are gone, say so, and from
 * what the jobs can be started again. Always ends: what cannot be done in time is reported, and
 * Kubernetes removes it by its owner.
 */
final class DeleteApplicationProcedure {

  private static final int ATTEMPTS = 3;

  private final OperationContext context;
  private final StepRunner steps;
  private ApplicationRecord known = ApplicationRecord.NONE;
  private VersionLimits limits = VersionLimits.DEFAULT;

  DeleteApplicationProcedure(OperationContext context, StepRunner steps) {
    this.context = context;
    this.steps = steps;
    context.newerSpecDiffers(() -> false);
  }

  /** Returns when no cluster is left, or when what is left is reported. */
  OperationResult removeEverything() {
    // the signal has brought us here; it must not interrupt what it asked for
    context.signals().deleteTaken();
    ApplicationSeen seen = observe(Duration.ZERO);
    if (!seen.deleting()) {
      return notDeleted(seen);
    }
    TakeoverForDeletion.Result takeover =
        new TakeoverForDeletion(this, context, steps).takeOver(seen);
    seen = begin(takeover.seen());
    FinalJobs jobs = new FinalJobs(this, context, steps, seen);
    jobs.end(seen);
    List<String> left = new ArrayList<>();
    versions(seen).forEach(version -> delete(version, left));
    jobs.tellRest();
    return end(jobs, Stream.concat(takeover.why().stream(), jobs.said().stream()), left);
  }

  private OperationResult end(FinalJobs jobs, Stream<String> said, List<String> left) {
    String gone =
        left.isEmpty()
            ? "No cluster is left."
            : "Clusters are left, which Kubernetes removes: " + String.join("; ", left) + ".";
    String message = Stream.concat(Stream.of(gone), said).collect(Collectors.joining(" "));
    steps.report(
        context.report(
            OperationState.SUCCEEDED,
            Step.DELETE_VERSION,
            left.isEmpty() ? null : FailureType.CLUSTER_NOT_GONE,
            message,
            left.isEmpty() ? EventReasons.CLEANUP : EventReasons.CLEANUP_FAILED));
    return new OperationResult(OperationResult.DELETED, 0, message, jobs.path());
  }

  ApplicationSeen observe(Duration patience) {
    ApplicationSeen seen =
        steps.runToCompletion(
            Step.OBSERVE,
            "Observe the application and its versions",
            patience,
            ApplicationActivities.class,
            (a, deadline) ->
                a.observe(new ObserveRequest(context.resource(), patience.toMillis())));
    known = seen.record();
    limits = seen.limits();
    return seen;
  }

  /** What was in flight is left to what is deleted: no effect of another run is carried out now. */
  private ApplicationSeen begin(ApplicationSeen first) {
    ApplicationSeen seen = first;
    boolean cancels = first.wanted().deleteMode() == DeleteMode.FORCE_CANCEL;
    String message = cancels ? "Deleting; jobs are cancelled without a savepoint" : "Deleting";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (known.phase() == ApplicationPhase.DELETING
          || write(
              known.in(ApplicationPhase.DELETING),
              message,
              cancels ? ApplicationEvents.FORCE_CANCELING : null)) {
        return seen;
      }
      seen = observe(Duration.ZERO);
    }
    return seen;
  }

  /** Whether it was written. */
  boolean write(ApplicationRecord next, String message, @Nullable String event) {
    OperationReport report =
        context.report(OperationState.RUNNING, Step.RECORD_VERSIONS, null, message, event);
    ApplicationRecord before = known;
    try {
      boolean unused =
          steps.tryOnce(
              Step.RECORD_VERSIONS,
              message,
              ApplicationActivities.class,
              a -> {
                a.record(new RecordVersionsRequest(before, next, report));
                return true;
              });
      known = next;
      context.done(message);
      return true;
    } catch (ActivityFailure failure) {
      context.done("The status was not written; continuing: " + steps.describe(failure));
      return false;
    }
  }

  ApplicationRecord known() {
    return known;
  }

  VersionRequest request(VersionRef version, long deadlineMs) {
    return new VersionRequest(context.resource(), known.standing(), version, deadlineMs);
  }

  private Stream<VersionRef> versions(ApplicationSeen seen) {
    return Stream.concat(
            Stream.of(known.deployed(), known.target(), known.leaving()).filter(Objects::nonNull),
            seen.leftovers().stream())
        .distinct();
  }

  private void delete(VersionRef version, List<String> left) {
    String why = "";
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        deleteOnce(version);
        tellGone(version);
        return;
      } catch (ActivityFailure failure) {
        why = version.display() + ": " + steps.describe(failure);
        context.done("Attempt %d of %d failed: %s".formatted(attempt, ATTEMPTS, why));
        if (attempt < ATTEMPTS) {
          ApplicationSeen unused = observe(Duration.ZERO);
        }
      }
    }
    left.add(why);
  }

  private void tellGone(VersionRef version) {
    String gone = "The cluster %s is gone".formatted(version.display());
    context.done(gone);
    steps.report(
        context.report(
            OperationState.RUNNING,
            Step.DELETE_VERSION,
            null,
            gone,
            ApplicationEvents.TORE_DOWN_CLUSTER));
  }

  private void deleteOnce(VersionRef version) {
    long deadline = context.in(Duration.ofMillis(limits.goneMs()));
    boolean unused =
        steps.runOnce(
            Step.DELETE_VERSION,
            "Delete the cluster %s, and wait until it is gone".formatted(version.display()),
            deadline,
            ApplicationActivities.class,
            a -> {
              a.delete(new DeleteVersionRequest(request(version, deadline), true));
              return true;
            });
  }

  /** A signal sent by hand asks for a deletion that Kubernetes knows nothing of. */
  private OperationResult notDeleted(ApplicationSeen seen) {
    String why = "Not deleted: 'kubectl delete' deletes the resource, a signal does not.";
    context.done(why);
    return context.cancelled()
        ? new OperationResult(OperationResult.ABORTED, 0, why)
        : HandOver.to(DeployApplication.TYPE, context.input().next(seen.generation(), why));
  }
}
