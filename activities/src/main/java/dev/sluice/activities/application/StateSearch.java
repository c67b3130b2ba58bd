package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.job.ClusterJob;
import dev.sluice.activities.job.LookDeadline;
import dev.sluice.activities.job.NewestState;
import dev.sluice.activities.job.SettleTimer;
import dev.sluice.api.application.ApplicationJobStatus;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.application.ApplicationActivities.FindStateRequest;
import dev.sluice.workflows.application.FoundState;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest state of a job of which no savepoint can be taken: Flink's own word where it
 * knows the job, else the newest of what the storage, the status and its high-availability metadata
 * tell of. One instance for each attempt of the activity.
 */
final class StateSearch {

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  private final FindStateRequest request;
  private final FrozenVersion version;
  private final String jobId;
  private final ApplicationJobStatus known;
  private final @Nullable Long stopSinceMs;
  private final Function<JobOverview, Optional<NewestState>> left;
  private final StateFiles files;
  private final Sources sources;
  private final SettleTimer absence;
  private final LookDeadline<FoundState> deadline = new LookDeadline<>(this::tooLate);

  /**
   * @param flink the client
   * @param presence tells a JobManager that is gone from a silent one
   * @param files its savepoints and checkpoints among files
   * @param metadata the id of the newest checkpoint in the high-availability metadata of the job;
   *     empty when it has none
   * @param clock of the worker
   */
  record Sources(
      FlinkRest flink,
      ClusterPresence presence,
      StateFiles files,
      Supplier<OptionalLong> metadata,
      Clock clock) {}

  /**
   * What the status says.
   *
   * @param job what was last seen of the job
   * @param stopSinceMs since when it may have been stopped with a savepoint, ms since the epoch;
   *     null when none was triggered
   */
  record Known(ApplicationJobStatus job, @Nullable Long stopSinceMs) {}

  /**
   * @param known what the status says of the job
   */
  StateSearch(
      FindStateRequest request,
      FrozenVersion version,
      String jobId,
      Known known,
      ClusterJob job,
      Sources sources) {
    this.request = request;
    this.version = version;
    this.jobId = jobId;
    this.known = jobId.equals(known.job().jobID()) ? known.job() : ApplicationJobStatus.EMPTY;
    this.stopSinceMs = known.stopSinceMs();
    this.files = sources.files();
    this.left = job.left();
    this.sources = sources;
    this.absence = new SettleTimer(sources.clock(), ABSENCE);
  }

  ProbeResult<FoundState> look() {
    boolean late = sources.clock().millis() >= request.on().deadlineMs();
    return deadline.look(
        late,
        () ->
            sources
                .presence()
                .orGone(
                    () -> lookAt(sources.flink().jobsOverview(version.endpoint())), this::search));
  }

  private ProbeResult<FoundState> lookAt(JobsOverview overview) {
    JobOverview found = overview.job(jobId).orElse(null);
    if (found == null) {
      return absence.reached()
          ? search()
          : notYet("the JobManager answers but does not know the job (yet)");
    }
    absence.reset();
    if (!found.state().isGloballyTerminal()) {
      return done(new FoundState.Alive("Job %s is %s".formatted(jobId, found.display())));
    }
    return left.apply(found)
        .map(newest -> ofFlink(found, newest))
        .orElseGet(
            () -> notYet("the job is " + found.word() + ", its statistics are not final yet"));
  }

  private ProbeResult<FoundState> ofFlink(JobOverview ended, NewestState newest) {
    String how = "the JobManager, where it is " + ended.word();
    boolean byItself =
        ended.state() == FlinkJobState.FINISHED && newest.state() instanceof StateRef.Empty;
    if (newest.state() instanceof StateRef.Unknown && stopSinceMs != null) {
      return search();
    }
    if (!byItself && newest.state().pathOrNull() == null) {
      return done(
          new FoundState.None(
              "Job %s is %s: %s".formatted(jobId, ended.word(), newest.state().display())));
    }
    Optional<Checkpoints> statistics = sources.flink().checkpoints(version.endpoint(), jobId);
    return done(
        byItself
            ? finished(statistics, newest.state(), how)
            : limit().judged(newest.state(), StateAge.takenAt(statistics), how));
  }

  /** Flink has deleted its checkpoints, not its savepoints. It does no work again that is old. */
  private FoundState finished(Optional<Checkpoints> statistics, StateRef empty, String how) {
    Optional<Completed> savepoint =
        statistics.flatMap(Checkpoints::latestSavepoint).filter(it -> !it.discarded());
    return new FoundState.Found(
        savepoint
            .flatMap(Completed::externalPath)
            .<StateRef>map(StateRef.Savepoint::new)
            .orElse(empty),
        limit().ageMs(savepoint.map(Completed::triggeredAt)),
        how);
  }

  /** Nobody has the job any more. It may have been stopped with a savepoint before. */
  private ProbeResult<FoundState> search() {
    NewestKnown.Savepoints kept =
        known.state() == FlinkJobState.FINISHED
            ? new NewestKnown.Savepoints(files.savepointsSince(0), files.savepointDirectory())
            : null;
    Long since = stopSinceMs;
    NewestKnown.Stop stop =
        since == null
            ? null
            : new NewestKnown.Stop(since, files.savepointsSince(since), files.savepointDirectory());
    NewestKnown.Evidence evidence =
        new NewestKnown.Evidence(known, stop, kept, files.newest(), sources.metadata().get());
    return done(new NewestKnown(jobId, evidence, limit()).find());
  }

  private StateAge.Limit limit() {
    return new StateAge.Limit(request.maxAgeMs(), sources.clock().instant());
  }

  private ProbeResult<FoundState> tooLate(String what) {
    return done(
        new FoundState.Unknown(
            "The newest state of job %s could not be found out: %s".formatted(jobId, what)));
  }

  private static ProbeResult<FoundState> notYet(String words) {
    return ProbeResult.notYet(words);
  }

  private static ProbeResult<FoundState> done(FoundState found) {
    return ProbeResult.done(found);
  }
}
