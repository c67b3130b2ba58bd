package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.DisposalOperation.Left;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.workflows.snapshot.SnapshotActivities.Disposal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Step DisposeSavepoint: has the JobManager of a job that is up delete the files of a savepoint
 * that nothing names. Flink makes the trigger id itself, so a call whose answer was lost is
 * repeated. It deletes the metadata first, which each call reads: after that a later call finds
 * nothing.
 */
final class DisposeSavepoint {

  /** From a failure to the next try. */
  private static final Duration PAUSE = Duration.ofSeconds(15);

  private final String path;
  private final SnapshotJob owner;
  private final Supplier<Optional<String>> kept;
  private final FlinkRest flink;
  private final long deadlineMs;
  private final Clock clock;
  private Instant next = Instant.MIN;
  private String failure = "";
  private @Nullable String triggerId;

  /**
   * @param owner of the job, whose cluster is asked
   * @param kept why the files must stay; blocks
   * @param deadlineMs until when a failure is followed by another try, by that clock
   */
  DisposeSavepoint(
      String path,
      SnapshotJob owner,
      Supplier<Optional<String>> kept,
      FlinkRest flink,
      long deadlineMs,
      Clock clock) {
    this.path = path;
    this.owner = owner;
    this.kept = kept;
    this.flink = flink;
    this.deadlineMs = deadlineMs;
    this.clock = clock;
  }

  /** Blocks for a few calls. Fails when Kubernetes or Flink does not answer. */
  ProbeResult<Disposal> look(ActGuard guard) {
    if (clock.instant().isBefore(next)) {
      return ProbeResult.notYet(failure + "; Flink is asked again soon");
    }
    try {
      return triggerId == null
          ? trigger(guard)
          : judge(flink.disposalStatus(endpoint(), triggerId));
    } catch (FlinkRestException.Rejected rejected) {
      return again(String.valueOf(rejected.getMessage()));
    }
  }

  private Endpoint endpoint() {
    return owner.cluster().endpoint();
  }

  private ProbeResult<Disposal> again(String why) {
    triggerId = null;
    failure = why;
    next = clock.instant().plus(PAUSE);
    return next.toEpochMilli() < deadlineMs
        ? ProbeResult.notYet(why)
        : ProbeResult.done(new Disposal.Left(why));
  }

  private ProbeResult<Disposal> trigger(ActGuard guard) {
    Optional<String> absence = owner.absence();
    if (absence.isPresent()) {
      return ProbeResult.done(
          new Disposal.Left(absence.get() + ", so no Flink can be asked to delete its files"));
    }
    SnapshotJob.Presence job = owner.job(flink);
    if (!(job instanceof SnapshotJob.Presence.Up)) {
      return ProbeResult.notYet(job.why());
    }
    Optional<String> needed = kept.get();
    if (needed.isPresent()) {
      return ProbeResult.done(new Disposal.Left(needed.get()));
    }
    guard.check();
    triggerId = flink.disposeSavepoint(endpoint(), path).triggerId();
    return ProbeResult.notYet("Flink was asked to delete its files");
  }

  private ProbeResult<Disposal> judge(DisposalOperation progress) {
    if (progress instanceof DisposalOperation.Completed) {
      return ProbeResult.done(new Disposal.Done("Flink has deleted its files"));
    }
    if (progress instanceof DisposalOperation.Unknown) {
      triggerId = null; // forgotten with the JobManager's memory
      return ProbeResult.notYet("the JobManager was restarted; it is asked again");
    }
    if (!(progress instanceof DisposalOperation.Failed failed)) {
      return ProbeResult.notYet("Flink deletes its files");
    }
    String why = failed.cause().summary();
    Left left = failed.left(path);
    if (left == Left.PERHAPS_ALL) {
      return again(why);
    }
    return ProbeResult.done(
        left == Left.NOTHING
            ? new Disposal.Done("its files were already gone")
            : new Disposal.Left(
                "some or all of its files are gone, and nothing can be started from it: " + why));
  }
}
