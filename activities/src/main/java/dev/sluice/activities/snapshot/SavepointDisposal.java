package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Has a JobManager delete the files of a savepoint. Flink makes the trigger id itself, so a call
 * whose answer was lost is made again; the second finds no files, which is success.
 */
final class SavepointDisposal {

  private static final String NO_FILES = "FileNotFoundException";

  private final DisposeRequest request;
  private final Endpoint endpoint;
  private final FlinkRest flink;
  private final Clock clock;
  private @Nullable String triggerId;
  private String progress = "nothing was asked yet";

  SavepointDisposal(DisposeRequest request, Endpoint endpoint, FlinkRest flink, Clock clock) {
    this.request = request;
    this.endpoint = endpoint;
    this.flink = flink;
    this.clock = clock;
  }

  CompletableFuture<ProbeResult<Disposal>> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs();
    String asked = triggerId;
    CompletableFuture<ProbeResult<Disposal>> seen =
        (asked == null
                ? trigger(guard)
                : flink.disposalStatus(endpoint, asked).thenApply(this::judge))
            .exceptionallyCompose(SavepointDisposal::refused);
    return late ? seen.handle(this::tooLate) : seen;
  }

  private CompletableFuture<ProbeResult<Disposal>> trigger(ActGuard guard) {
    return guard
        .act(() -> flink.disposeSavepoint(endpoint, request.path()))
        .thenApply(
            triggered -> {
              triggerId = triggered.triggerId();
              return notYet("Flink was asked to delete its files");
            });
  }

  private ProbeResult<Disposal> judge(DisposalOperation told) {
    if (told instanceof DisposalOperation.Completed) {
      return ProbeResult.done(new Disposal.Done("Flink has deleted its files"));
    }
    if (told instanceof DisposalOperation.Failed failed) {
      return ProbeResult.done(
          failed.cause().type().equals(NO_FILES)
              ? new Disposal.Done("its files were gone already")
              : new Disposal.Failed(failed.cause().summary()));
    }
    if (told instanceof DisposalOperation.Unknown) {
      triggerId = null; // forgotten with the JobManager's memory
      return notYet("the JobManager was restarted; it is asked again");
    }
    return notYet("Flink deletes its files");
  }

  private static CompletableFuture<ProbeResult<Disposal>> refused(Throwable thrown) {
    return FlinkRestException.in(thrown).orElse(null)
            instanceof FlinkRestException.Rejected rejected
        ? CompletableFuture.completedFuture(
            ProbeResult.done(new Disposal.Failed(String.valueOf(rejected.getMessage()))))
        : CompletableFuture.failedFuture(thrown);
  }

  private ProbeResult<Disposal> tooLate(
      @Nullable ProbeResult<Disposal> seen, @Nullable Throwable thrown) {
    if (seen instanceof ProbeResult.Done) {
      return seen;
    }
    return ProbeResult.done(
        new Disposal.Failed(
            thrown == null ? progress : "the JobManager does not answer; before, " + progress));
  }

  private ProbeResult<Disposal> notYet(String words) {
    progress = words;
    return ProbeResult.notYet(words);
  }
}
