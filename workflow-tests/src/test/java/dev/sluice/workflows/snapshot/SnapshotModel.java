package dev.sluice.workflows.snapshot;

import dev.sluice.api.common.OperationState;
import dev.sluice.api.snapshot.SnapshotState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.simulation.ScriptedCalls;
import dev.sluice.workflows.snapshot.SnapshotSeen.Wanted;
import dev.sluice.workflows.snapshot.SnapshotSeen.Which;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One snapshot, its job and its Flink, by the rules of docs/snapshots.md: what breaks one of them
 * is a violation.
 */
final class SnapshotModel extends ScriptedCalls implements SnapshotActivities {

  static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";
  static final String OF = "FlinkDeployment default/orders";

  /** Where one is that was taken before. */
  static final String EXISTING = "s3://existing";

  final List<OperationReport> reports = new ArrayList<>();

  /** Of which snapshot each of the reports was that were no record. */
  final List<@Nullable String> reportedOf = new ArrayList<>();

  /** Savepoints that Flink completed, by trigger id. */
  final Map<String, String> taken = new HashMap<>();

  /** Trigger ids that are in progress in Flink. */
  final Set<String> running = new HashSet<>();

  /** What is triggered stays in progress. */
  boolean slow;

  /** Trigger ids that failed in Flink. */
  private final Set<String> refused = new HashSet<>();

  /** Trigger ids that an operation ended, which Flink remembers too. */
  private final Set<String> stopped = new HashSet<>();

  /** Trigger ids that were sent and that Flink did not know. */
  final List<String> triggers = new ArrayList<>();

  /** What each request said of the attempts before it. */
  final List<List<String>> earlier = new ArrayList<>();

  /** Number of the call that recorded the end; 0 before. */
  int endedAt;

  final List<String> disposed = new ArrayList<>();

  /** Trigger id of the one before on the lane that may be in progress; null for none. */
  @Nullable String inDoubt;

  /** What goes next in the history, on a lane without a resource; null for nothing. */
  @Nullable String removal;

  /** What goes after that; null for nothing. */
  @Nullable String next;

  /** What the history forgot. */
  final Set<String> forgotten = new HashSet<>();

  /** What could not be removed, which the controller does not ask for again at once. */
  final Set<String> kept = new HashSet<>();

  /** Of the snapshot that is asked for now. */
  String id = "uid";

  SnapshotRecord record = SnapshotRecord.NONE;
  Wanted wanted = Wanted.SAVEPOINT;

  /** Path of what was taken before; null when it is to be taken. */
  @Nullable String existing;

  int failuresAllowed = -1;
  boolean exists = true;
  boolean deleting;
  boolean disposes = true;
  @Nullable String problem;
  String job = JOB;

  /** Why there is no job; null while there is one. */
  @Nullable String noJob;

  /** How many of the next waits for the job end without it. */
  int notUp;

  /** How many of the next waits for the job end without an answer of its JobManager. */
  int unanswered;

  /** How many of the next triggers fail in Flink. */
  int failing;

  /** How many of the next triggers an operation ends that stops the job, which runs on then. */
  int stops;

  /** How many of the next triggers an operation ends that puts another job in its place. */
  int replacements;

  /** Whether what puts another job in its place is a Recover. */
  boolean recovered;

  /** How many of the next answers about a trigger do not come. */
  int silent;

  /** How often the disposal fails. */
  int disposalFails;

  /** The other clusters that fail to, in this order; its own when there is no more. */
  final Deque<String> disposers = new ArrayDeque<>();

  /** How often the disposal fails after the metadata is deleted: from then on nothing is found. */
  int disposalFailsInPart;

  private boolean metadataDeleted;

  /** The requests to dispose of it. */
  final List<DisposeRequest> disposals = new ArrayList<>();

  @Nullable Disposal instead;

  @Override
  public SnapshotSeen observe(ObserveRequest request) {
    return call(
        "ObserveSnapshot",
        () -> {
          requireExists();
          if (request.toDispose() && removal != null) {
            SnapshotRecord old = SnapshotRecord.NONE.completed(removal, 1);
            Which which = new Which(removal, "history", List.of());
            return new SnapshotSeen(which, true, null, Wanted.SAVEPOINT, null, OF, -1, true, old);
          }
          Which which = new Which(id, id, inDoubt == null ? List.of() : List.of(inDoubt));
          return new SnapshotSeen(
              which, deleting, problem, wanted, existing, OF, failuresAllowed, disposes, record);
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
          if (request.pinned() != null && !request.pinned().equals(job)) {
            return new FoundJob.Replaced(
                "Job " + request.pinned() + " was replaced by job " + job, recovered);
          }
          if (unanswered > 0) {
            unanswered--;
            return new FoundJob.Held(FailureType.JOB_MANAGER_SILENT, "the JobManager is silent");
          }
          if (notUp > 0) {
            notUp--;
            return new FoundJob.NotUp("the job is RESTARTING");
          }
          return new FoundJob.Up(job, 600_000);
        });
  }

  @Override
  public Outcome take(TakeRequest request) {
    return call("TakeSnapshot", () -> taken(request));
  }

  private Outcome taken(TakeRequest request) {
    earlier.add(request.earlier());
    String id = request.trigger().id();
    check(
        Stream.concat(Stream.ofNullable(record.trigger()), record.earlier().stream())
            .anyMatch(it -> it.id().equals(id)),
        "a trigger is recorded before it is sent");
    check(
        !request.mayTrigger() || !record.state().isFinal() || !exists,
        "nothing is triggered for a snapshot that has ended");
    if (!request.trigger().jobId().equals(job)) {
      if (!request.mayTrigger()) {
        return new Outcome.NoJob(
            "the cluster was made for job " + job + "; see in s3://savepoints");
      }
      throw ApplicationFailure.newNonRetryableFailure(
          "the cluster was made for job " + job, FailureType.OUTDATED);
    }
    String path = taken.get(id);
    if (stopped.contains(id) || (path == null && request.mayTrigger() && stops > 0)) {
      return stopped(id);
    }
    if (path == null && !request.mayTrigger()) {
      return new Outcome.NoJob("nothing was found");
    }
    if (path == null && request.earlier().stream().anyMatch(running::contains)) {
      return new Outcome.Unknown("an attempt before is still in progress");
    }
    check(running.isEmpty() || running.contains(id), "one savepoint in flight, never two");
    if ((slow && running.add(id)) || running.contains(id)) {
      return new Outcome.Unknown("it is being taken");
    }
    if (path == null && replacements > 0) {
      replacements--;
      triggers.add(id);
      job = "%032x".formatted(replacements + 1);
      return new Outcome.Unknown("the JobManager does not answer");
    }
    if (path == null && !refused.contains(id) && failing > 0) {
      failing--;
      triggers.add(id);
      refused.add(id);
    }
    if (refused.contains(id)) {
      // also the second time: Flink remembers it
      return new Outcome.Failed("the directory refuses", true);
    }
    if (path == null) {
      check(noJob == null, "no job, no trigger");
      triggers.add(id);
      path = "s3://savepoints/" + triggers.size();
      taken.put(id, path);
    }
    if (silent > 0) {
      silent--;
      return new Outcome.Unknown("the JobManager does not answer");
    }
    return new Outcome.Taken(path, "savepoint in 0.4 s");
  }

  private Outcome stopped(String id) {
    if (stopped.add(id)) {
      stops--;
      triggers.add(id);
    }
    return new Outcome.Failed("Upgrade is at work", false);
  }

  @Override
  public void record(RecordRequest request) {
    boolean unused =
        call(
            "RecordSnapshot",
            () -> {
              requireExists();
              if (!record.equals(request.record())) {
                if (!record.equals(request.plannedFor()) || !id.equals(request.snapshot())) {
                  throw ApplicationFailure.newNonRetryableFailure(
                      "planned for something else", FailureType.OUTDATED);
                }
                checkTransition(record, request.record());
                record = request.record();
                endedAt = record.state().isFinal() ? steps.size() : endedAt;
              }
              reports.add(request.report());
              return true;
            });
  }

  private void checkTransition(SnapshotRecord from, SnapshotRecord to) {
    check(
        from.state() != SnapshotState.COMPLETED, "what is completed is never anything else again");
    check(to.failures() >= from.failures(), "failures are never forgotten");
    check(
        to.state() != SnapshotState.COMPLETED || existing != null || taken.containsValue(to.path()),
        "only what Flink has taken is completed");
  }

  @Override
  public Disposal dispose(DisposeRequest request) {
    return call(
        "DisposeSavepoint",
        () -> {
          if (!request.path().equals(removal)) {
            check(deleting && disposes, "only what is deleted is disposed of");
            check(
                taken.containsValue(request.path())
                    || (existing != null && EXISTING.equals(request.path())),
                "only savepoints of this snapshot");
          }
          if (instead != null) {
            return instead;
          }
          disposals.add(request);
          if (metadataDeleted) {
            return new Disposal.InPart("there is no metadata");
          }
          if (disposalFailsInPart > 0) {
            disposalFailsInPart--;
            metadataDeleted = true;
            return new Disposal.Failed("one file cannot be deleted");
          }
          if (disposalFails > 0) {
            disposalFails--;
            return new Disposal.Failed("storage is away", disposers.poll());
          }
          disposed.add(request.path());
          return new Disposal.Done("its files are gone");
        });
  }

  @Override
  public void disposed(DisposedRequest request) {
    boolean unused =
        call(
            "RecordDisposal",
            () -> {
              requireExists();
              if (request.snapshot().equals(removal)) {
                if (request.keptAtMs() != null) {
                  kept.add(removal);
                } else {
                  check(
                      disposed.contains(removal)
                          || metadataDeleted
                          || instead instanceof Disposal.LeftTo,
                      "the history forgets only what is gone");
                  forgotten.add(removal);
                }
                removal = next;
                next = null;
              }
              check(
                  request.snapshot().equals(id)
                      || forgotten.contains(request.snapshot())
                      || kept.contains(request.snapshot()),
                  "only of what was seen is it told that it was disposed of");
              reports.add(request.report());
              return true;
            });
  }

  @Override
  public void report(ReportRequest request) {
    boolean unused =
        call(
            "ReportSnapshot",
            () -> {
              requireExists();
              reports.add(request.report());
              reportedOf.add(request.snapshot());
              return true;
            });
  }

  private void requireExists() {
    if (!exists) {
      throw ApplicationFailure.newNonRetryableFailure("gone", FailureType.RESOURCE_GONE);
    }
  }

  /** How the newest report says that the operation stands; null before the first. */
  @Nullable OperationState operation() {
    return reports.isEmpty() ? null : reports.get(reports.size() - 1).state();
  }

  String lastMessage() {
    return Objects.requireNonNull(reports.get(reports.size() - 1)).message();
  }
}
