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
  private final String named;
  private final Supplier<Optional<SnapshotJob>> owners;
  private final Supplier<Optional<String>> kept;
  private final FlinkRest flink;
  private final long deadlineMs;
  private final Clock clock;
  private Instant next = Instant.MIN;
  private String failure = "";
  private @Nullable String triggerId;

  /**
   * @param named the resource of the job, for messages
   * @param owners reads it, whose cluster is asked; blocks
   * @param kept why the files must stay; blocks
   * @param deadlineMs until when a failure is followed by another try, by that clock
   */
  DisposeSavepoint(
      String path,
      String named,
      Supplier<Optional<SnapshotJob>> owners,
      Supplier<Optional<String>> kept,
      FlinkRest flink,
      long deadlineMs,
      Clock clock) {
    this.path = path;
    this.named = named;
    this.owners = owners;
    this.kept = kept;
    this.flink = flink;
    this.deadlineMs = deadlineMs;
    this.clock = clock;
  }

  /**
   * Blocks for a few calls. Fails when Kubernetes or Flink does not answer, unless the Flink that
   * is asked goes away with its resource.
   */
  ProbeResult<Disposal> look(ActGuard guard) {
    if (clock.instant().isBefore(next)) {
      return ProbeResult.notYet(failure + "; Flink is asked again soon");
    }
    SnapshotJob owner = owners.get().orElse(null);
    if (owner == null) {
      return left(named + " is gone");
    }
    Endpoint endpoint = owner.cluster().endpoint();
    try {
      return triggerId == null
          ? trigger(owner, endpoint, guard)
          : judge(flink.disposalStatus(endpoint, triggerId));
    } catch (FlinkRestException.Rejected rejected) {
      return again(String.valueOf(rejected.getMessage()));
    } catch (FlinkRestException.Unreachable silent) {
      return left(owner.absence().orElseThrow(() -> silent));
    }
  }

  private static ProbeResult<Disposal> left(String absence) {
    return ProbeResult.done(
        new Disposal.Left(absence + ", so no Flink can be asked to delete its files"));
  }

  private ProbeResult<Disposal> again(String why) {
    triggerId = null;
    failure = why;
    next = clock.instant().plus(PAUSE);
    return next.toEpochMilli() < deadlineMs
        ? ProbeResult.notYet(why)
        : ProbeResult.done(new Disposal.Left(why));
  }

  private ProbeResult<Disposal> trigger(SnapshotJob owner, Endpoint endpoint, ActGuard guard) {
    Optional<String> absence = owner.absence();
    if (absence.isPresent()) {
      return left(absence.get());
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
    triggerId = flink.disposeSavepoint(endpoint, path).triggerId();
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
