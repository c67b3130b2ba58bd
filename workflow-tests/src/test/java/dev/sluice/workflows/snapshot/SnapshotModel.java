package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.simulation.ScriptedCalls;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.FoundJob;
import dev.sluice.workflows.snapshot.SnapshotActivities.Outcome;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot, its job and its Flink, by the rules of docs/snapshots.md: what breaks one of them
 * is a violation.
 */
final class SnapshotModel extends ScriptedCalls implements SnapshotActivities {

  static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";
  static final String OF = "FlinkDeployment default/orders";

  final List<OperationReport> reports = new ArrayList<>();

  /** Savepoints that Flink completed, by trigger id: they are in the storage. */
  final Map<String, String> taken = new HashMap<>();

  /** Trigger ids that were sent and that Flink did not know, in order. */
  final List<String> triggers = new ArrayList<>();

  /** Trigger ids that the JobManager which runs now knows. */
  private final Set<String> known = new HashSet<>();

  /** Trigger ids that failed in Flink, which remembers them. */
  private final Set<String> refused = new HashSet<>();

  /** Trigger ids that an operation ended, which Flink remembers, too. */
  private final Set<String> stopped = new HashSet<>();

  /** Number of the call that recorded the end; 0 before. */
  int endedAt;

  final List<String> disposed = new ArrayList<>();

  /** The requests to dispose of it. */
  final List<DisposeRequest> disposals = new ArrayList<>();

  /** Id of the snapshot that is asked for now. */
  String id = "uid";

  FlinkStateSnapshotStatus record = FlinkStateSnapshotStatus.EMPTY.attempts();
  SnapshotType wanted = SnapshotType.SAVEPOINT;
  int failuresAllowed = -1;
  boolean exists = true;
  boolean deleting;
  boolean disposes = true;
  String job = JOB;

  /** Why there is no job; null while there is one. */
  @Nullable String noJob;

  /** How many of the next waits for the job end without it. */
  int notUp;

  /** How many of the next triggers fail in Flink. */
  int failing;

  /** How many of the next triggers an operation ends that stops the job, which runs on then. */
  int stops;

  /** How many of the next triggers an operation ends that puts another job in its place. */
  int replacements;

  /** How many of the next triggers the JobManager forgets, because it is restarted after them. */
  int restarts;

  /** How many of the next answers about a trigger do not come. */
  int silent;

  /** The disposal does not come to an end. */
  boolean disposalHangs;

  /** Savepoints that the history in a status has no place for. */
  List<String> excess = List.of();

  /** What becomes of the files instead of being deleted; null for nothing. */
  @Nullable Disposal instead;

  private static ApplicationFailure timedOut(String why) {
    return ApplicationFailure.newNonRetryableFailure(why, FailureType.TIMED_OUT);
  }

  @Override
  public Seen observe(ObserveRequest request) {
    return call(
        "ObserveSnapshot",
        () -> {
          requireExists();
          return new Seen(id, deleting, wanted, OF, failuresAllowed, disposes, excess, record);
        });
  }

  @Override
  public FoundJob awaitJob(AwaitJobRequest request) {
    return call(
        "AwaitJob",
        () -> {
          if (noJob != null) {
            return new FoundJob.None(noJob);
          }
          if (notUp > 0) {
            notUp--;
            throw timedOut("the job is RESTARTING");
          }
          return new FoundJob.Up(job, 600_000);
        });
  }

  @Override
  public Outcome take(TakeRequest request) {
    return call("TakeSnapshot", () -> outcome(request));
  }

  private Outcome outcome(TakeRequest request) {
    String trigger = request.trigger().id();
    check(trigger.equals(record.triggerId()), "a trigger is recorded before it is sent");
    check(
        !request.mayTrigger() || !record.stateOrPending().isFinal() || !exists,
        "nothing is triggered for a snapshot that has ended");
    check(!request.trigger().jobId().isEmpty(), "the job of a trigger is recorded");
    if (!request.trigger().jobId().equals(job)) {
      return new Outcome.Failed("the job was replaced; see in s3://savepoints", false);
    }
    if (stopped.contains(trigger)) {
      return new Outcome.Failed("Upgrade is at work", false);
    }
    if (refused.contains(trigger)) {
      return new Outcome.Failed("the directory refuses", true);
    }
    if (!known.contains(trigger)) {
      if (triggers.contains(trigger) || !request.mayTrigger()) {
        return new Outcome.Lost("it is lost; see in s3://savepoints");
      }
      return sent(trigger);
    }
    return answered(trigger);
  }

  private Outcome sent(String trigger) {
    check(noJob == null, "no job, no trigger");
    triggers.add(trigger);
    if (replacements > 0) {
      replacements--;
      job = "%032x".formatted(replacements + 1);
      throw timedOut("the JobManager does not answer");
    }
    if (stops > 0) {
      stops--;
      stopped.add(trigger);
      return new Outcome.Failed("Upgrade is at work", false);
    }
    if (failing > 0) {
      failing--;
      refused.add(trigger);
      return new Outcome.Failed("the directory refuses", true);
    }
    taken.put(trigger, "s3://savepoints/" + triggers.size());
    known.add(trigger);
    if (restarts > 0) {
      restarts--;
      known.clear();
      throw timedOut("the JobManager does not answer");
    }
    return answered(trigger);
  }

  private Outcome answered(String trigger) {
    if (silent > 0) {
      silent--;
      throw timedOut("the JobManager does not answer");
    }
    return new Outcome.Taken(taken.get(trigger), "savepoint in 0.4 s");
  }

  @Override
  public void record(RecordRequest request) {
    boolean unused =
        call(
            "RecordSnapshot",
            () -> {
              requireExists();
              if (!record.equals(request.status())) {
                if (!record.equals(request.plannedFor()) || !id.equals(request.snapshot())) {
                  throw ApplicationFailure.newNonRetryableFailure(
                      "planned for something else", FailureType.OUTDATED);
                }
                checkTransition(record, request.status());
                record = request.status();
                endedAt = record.stateOrPending().isFinal() ? steps.size() : endedAt;
              }
              reports.add(request.report());
              return true;
            });
  }

  private void checkTransition(FlinkStateSnapshotStatus from, FlinkStateSnapshotStatus to) {
    check(
        from.state() != SnapshotState.COMPLETED, "what is completed is never anything else again");
    check(to.failureCount() >= from.failureCount(), "failures are never forgotten");
    check(
        to.state() != SnapshotState.COMPLETED
            || Objects.equals(to.path(), taken.get(to.triggerId())),
        "only what Flink has taken for the trigger is completed");
    check(
        to.failureCount() == from.failureCount() || to.resultTimestamp() != null,
        "a failure has a result timestamp");
  }

  @Override
  public Disposal dispose(DisposeRequest request) {
    return call(
        "DisposeSavepoint",
        () -> {
          boolean isOver =
              record.state() == SnapshotState.COMPLETED && excess.contains(request.path());
          check((deleting && disposes) || isOver, "only what is deleted is disposed of");
          check(taken.containsValue(request.path()) || isOver, "only savepoints of this snapshot");
          if (instead != null) {
            return instead;
          }
          disposals.add(request);
          if (disposalHangs) {
            throw timedOut("storage is away");
          }
          disposed.add(request.path());
          return new Disposal.Done("its files are gone");
        });
  }

  @Override
  public void report(OperationReport report) {
    boolean unused =
        call(
            "ReportSnapshot",
            () -> {
              requireExists();
              reports.add(report);
              return true;
            });
  }

  private void requireExists() {
    if (!exists) {
      throw ApplicationFailure.newNonRetryableFailure("gone", FailureType.RESOURCE_GONE);
    }
  }

  /** State of the operation in the newest report; null before the first. */
  @Nullable OperationState operation() {
    return reports.isEmpty() ? null : reports.get(reports.size() - 1).state();
  }

  String lastMessage() {
    return Objects.requireNonNull(reports.get(reports.size() - 1)).message();
  }
}
