package dev.sluice.activities.snapshot;

import dev.sluice.activities.async.ActGuard;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Answers;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.workflows.snapshot.Disposal;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a JobManager delete the files of a savepoint, once it is known that nothing else needs them.
 * Flink makes the trigger id itself, so a call whose answer was lost is made again. It deletes the
 * metadata first, which every call needs: one that fails after that leaves what no later one finds.
 */
final class SavepointDisposal {

  private static final long FRESH_MS = 10_000;

  private final DisposeRequest request;
  private final Supplier<CompletableFuture<Optional<Disposal>>> kept;
  private final Endpoint endpoint;
  private final @Nullable String other;
  private final FlinkRest flink;
  private final Clock clock;
  private @Nullable CompletableFuture<Optional<Disposal>> checking;
  private volatile boolean checked;
  private volatile long checkedAtMs;
  private volatile boolean asked;
  private boolean askedBefore;
  private @Nullable String triggerId;
  private String progress = "nothing was asked yet";

  /**
   * @param kept what becomes of the files instead, as {@link KeptSavepoints} says
   * @param asked whether an earlier attempt may have asked Flink
   * @param through whom to ask
   */
  SavepointDisposal(
      DisposeRequest request,
      Supplier<CompletableFuture<Optional<Disposal>>> kept,
      boolean asked,
      DisposalClusters.Ask through,
      FlinkRest flink,
      Clock clock) {
    this.request = request;
    this.kept = kept;
    this.asked = asked;
    this.endpoint = through.cluster().endpoint();
    this.other = through.other();
    this.flink = flink;
    this.clock = clock;
  }

  /** Whether no attempt has asked Flink, and this one does not before it has looked around. */
  boolean isUntouched() {
    return !asked && !checked;
  }

  ProbeResult<Disposal> look(ActGuard guard) {
    boolean late = clock.millis() >= request.deadlineMs();
    try {
      ProbeResult<Disposal> seen = isChecked() ? delete(guard) : check(guard);
      return late && !(seen instanceof ProbeResult.Done) ? tooLate(progress) : seen;
    } catch (FlinkRestException.Rejected rejected) {
      return ProbeResult.done(again(String.valueOf(rejected.getMessage())));
    } catch (RuntimeException silent) {
      if (late) {
        return tooLate("the JobManager does not answer; before, " + progress);
      }
      throw silent;
    }
  }

  /** Somebody may need it by now: what was looked up long before Flink is asked does not count. */
  private boolean isChecked() {
    if (checked && triggerId == null && clock.millis() - checkedAtMs >= FRESH_MS) {
      checked = false;
      checking = null;
    }
    return checked;
  }

  /** It may take longer than a look: the next one goes on with the same. */
  private ProbeResult<Disposal> check(ActGuard guard) {
    CompletableFuture<Optional<Disposal>> check = checking == null ? kept.get() : checking;
    checking = check;
    if (!check.isDone()) {
      return notYet("it is looked up whether somebody still needs it");
    }
    if (check.isCompletedExceptionally()) {
      checking = null;
    }
    Optional<Disposal> instead = Answers.await(check);
    if (instead.isPresent()) {
      return ProbeResult.done(instead.get());
    }
    checked = true;
    checkedAtMs = clock.millis();
    return delete(guard);
  }

  private ProbeResult<Disposal> delete(ActGuard guard) {
    String trigger = triggerId;
    return trigger == null
        ? trigger(guard)
        : judge(Answers.await(flink.disposalStatus(endpoint, trigger)));
  }

  private ProbeResult<Disposal> trigger(ActGuard guard) {
    guard.check();
    askedBefore = asked;
    asked = true;
    triggerId = Answers.await(flink.disposeSavepoint(endpoint, request.path())).triggerId();
    return notYet("Flink was asked to delete its files");
  }

  private ProbeResult<Disposal> judge(DisposalOperation told) {
    if (told instanceof DisposalOperation.Completed) {
      return ProbeResult.done(new Disposal.Done("Flink has deleted its files" + through()));
    }
    if (told instanceof DisposalOperation.Failed failed) {
      return ProbeResult.done(failed(failed));
    }
    if (told instanceof DisposalOperation.Unknown) {
      triggerId = null; // forgotten with the JobManager's memory
      return notYet("the JobManager was restarted; it is asked again");
    }
    return notYet("Flink deletes its files");
  }

  private Disposal failed(DisposalOperation.Failed failed) {
    String why = failed.cause().summary();
    if (other != null) {
      return ofAnother(failed, why);
    }
    return switch (failed.left(request.path())) {
      case NOTHING -> new Disposal.Done("its files were already gone");
      case DIRECTORY -> new Disposal.InPart(why);
      case PERHAPS_STATE ->
          askedBefore ? new Disposal.InPart(why) : new Disposal.Done("its files were already gone");
      case PERHAPS_ALL -> again(why);
    };
  }

  /** What another cluster does not find may be in a storage that it does not reach. */
  private Disposal ofAnother(DisposalOperation.Failed failed, String why) {
    return switch (failed.left(request.path())) {
      case DIRECTORY -> new Disposal.InPart(why);
      case NOTHING, PERHAPS_STATE ->
          again(
              isAnswerLost() ? why + "; an earlier call got no answer, and may have done it" : why);
      case PERHAPS_ALL -> again(why);
    };
  }

  /** Whether an earlier call may have deleted the files, although its answer never came. */
  private boolean isAnswerLost() {
    return askedBefore && (!request.askedBefore() || request.failedThrough().isEmpty());
  }

  private Disposal again(String why) {
    return new Disposal.Failed(why + through(), other);
  }

  private String through() {
    return other == null ? "" : " (its own cluster is gone, so that of " + other + " was asked)";
  }

  private ProbeResult<Disposal> tooLate(String what) {
    return ProbeResult.done(again(what));
  }

  private ProbeResult<Disposal> notYet(String words) {
    progress = words;
    return ProbeResult.notYet(words);
  }
}
