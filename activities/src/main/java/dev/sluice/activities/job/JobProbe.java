package dev.sluice.activities.job;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Retention;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the job of an application cluster. One instance for each attempt of an activity: it
 * keeps for how long it has seen what, because Flink's statistics are final only some seconds after
 * the end of a job.
 */
public final class JobProbe {

  /** What is not answered by then is not known in this look. */
  private static final Duration ONE_LOOK = Duration.ofSeconds(6);

  // a JobManager that starts answers some seconds before it has its job
  private static final Duration ABSENCE = Duration.ofSeconds(20);

  private static final String RESTARTS = "numRestarts";

  /** Flink's own default of {@code execution.checkpointing.timeout}. */
  private static final Duration SAVEPOINT_TIMEOUT = Duration.ofMinutes(10);

  private final FlinkRest flink;
  private final Clock clock;
  private final Endpoint endpoint;
  private final @Nullable String expected;
  private final SettleTimer statistics;
  private final SettleTimer absence;
  private Instant until = Instant.MIN;
  private @Nullable CheckpointSettings settings;
  private final KnownType type = new KnownType();

  /**
   * What Flink reported of the state of a job.
   *
   * @param checkpoints empty when it takes none, or nothing was told
   * @param answered whether anything was told
   */
  private record Told(NewestState newest, Optional<Checkpoints> checkpoints, boolean answered) {}

  /**
   * What one look showed.
   *
   * @param job the job as it is; never {@link JobObservation.NeverStarted}, which Flink cannot tell
   * @param otherJobs ids of the live jobs on the cluster that are not this one
   * @param settled waiting would not tell more: it is up, it has ended and its statistics are
   *     final, or it has been absent for long
   * @param progress in words
   * @param savepoints ids of the others of which a savepoint is in progress, as far as was asked
   */
  public record Probe(
      JobObservation job,
      List<String> otherJobs,
      boolean settled,
      String progress,
      List<String> savepoints) {

    public Probe {
      otherJobs = List.copyOf(otherJobs);
      savepoints = List.copyOf(savepoints);
    }

    public Probe(JobObservation job, List<String> otherJobs, boolean settled, String progress) {
      this(job, otherJobs, settled, progress, List.of());
    }
  }

  /**
   * A probe of one cluster.
   *
   * @param expected the job that the cluster was made for; null when that is not known: then it is
   *     the one that lives, or else the one that started last
   * @param statisticsAge see {@link Statistics#age}
   */
  public JobProbe(
      FlinkRest flink,
      Endpoint endpoint,
      @Nullable String expected,
      Duration statisticsAge,
      Clock clock) {
    this.flink = flink;
    this.clock = clock;
    this.endpoint = endpoint;
    this.expected = expected;
    this.statistics = new SettleTimer(clock, statisticsAge);
    this.absence = new SettleTimer(clock, ABSENCE);
  }

  /** Takes one look. Never fails: what is not known is {@link JobObservation.Unreachable}. */
  public Probe look() {
    until = clock.instant().plus(ONE_LOOK);
    try {
      return lookAt(flink().jobsOverview(endpoint));
    } catch (FlinkRestException silent) {
      return silent(String.valueOf(silent.getMessage()));
    }
  }

  public Probe silent(String why) {
    statistics.reset();
    absence.reset();
    return unreachable(why, expected);
  }

  /** For as long as this look may take. */
  private FlinkRest flink() {
    return flink.within(Duration.between(clock.instant(), until));
  }

  /** The same as a look that got no answer in time. */
  public static Probe unreachable(String why, @Nullable String lastKnownJobId) {
    return new Probe(new JobObservation.Unreachable(why, lastKnownJobId), List.of(), false, why);
  }

  private Probe lookAt(JobsOverview overview) {
    Optional<JobOverview> found = job(overview);
    if (found.isEmpty()) {
      statistics.reset();
      return new Probe(
          new JobObservation.Absent(expected),
          ids(overview.alive()),
          absence.reached(),
          "the JobManager answers but does not know the job (yet)");
    }
    absence.reset();
    JobOverview job = found.get();
    List<String> others = ids(overview.aliveBut(job.jobId()));
    return job.state().isGloballyTerminal() ? ended(job, others) : alive(job, others);
  }

  private Optional<JobOverview> job(JobsOverview overview) {
    if (expected != null) {
      return overview.job(expected);
    }
    Comparator<JobOverview> newest = Comparator.comparing(job -> job.times().start());
    return overview.alive().stream().max(newest).or(() -> overview.jobs().stream().max(newest));
  }

  private Probe ended(JobOverview job, List<String> others) {
    boolean last = statistics.reached();
    Told told = told(job);
    return new Probe(
        new JobObservation.Ended(
            job.jobId(), job.state(), told.newest.state(), told.newest.progressed()),
        others,
        last && told.answered,
        "the job is " + job.word() + (last ? "" : ", its statistics are not final yet"));
  }

  private Probe alive(JobOverview job, List<String> others) {
    // a job that is not up completes no checkpoint; one that is may have done so since
    boolean standing = !job.isUp() && statistics.reached();
    if (job.isUp()) {
      statistics.reset();
    }
    Told told = told(job);
    CheckpointSettings how = settings(job);
    JobObservation.Alive seen =
        new JobObservation.Alive(
            job.jobId(),
            job.state(),
            job.tasks().observed(),
            told.newest.state(),
            told.newest.progressed() || !standing,
            how.retention(),
            how.timeout().toMillis(),
            times(job, told.checkpoints));
    return seen.times().takesSavepoint()
        ? new Probe(seen, others, false, job.display() + ", a savepoint is in progress")
        : new Probe(
            seen, others, type.isUp(job, endpoint, flink()) && told.answered, job.display());
  }

  private JobObservation.Times times(JobOverview job, Optional<Checkpoints> known) {
    Instant now = clock.instant();
    return new JobObservation.Times(
        now.toEpochMilli(),
        job.times().start().toEpochMilli(),
        millis(known.flatMap(Checkpoints::latestCompleted).map(Completed::triggeredAt)),
        millis(known.flatMap(Checkpoints::pendingSince)),
        job.isUp() ? now.minus(job.times().unchangedFor(now)).toEpochMilli() : 0,
        millis(known.flatMap(Checkpoints::savepointSince)));
  }

  private static long millis(Optional<Instant> instant) {
    return instant.map(Instant::toEpochMilli).orElse(0L);
  }

  private Told told(JobOverview job) {
    try {
      Optional<Checkpoints> found = flink().checkpoints(endpoint, job.jobId());
      NewestState newest = NewestState.of(job.state(), job.jobId(), found);
      return newest.state() instanceof StateRef.Empty && mayHaveLostItsSlots(job)
          ? new Told(
              NewestState.unknown(
                  "Flink does not tell the checkpoints of a job that waits for slots"),
              found,
              true)
          : new Told(newest, found, true);
    } catch (FlinkRestException untold) {
      return new Told(
          NewestState.unknown(String.valueOf(untold.getMessage())), Optional.empty(), false);
    }
  }

  /**
   * An adaptive scheduler shows a job that waits for slots as one that was only just created, and
   * without statistics, but counts its restarts on.
   */
  private boolean mayHaveLostItsSlots(JobOverview job) {
    if (job.state() != FlinkJobState.CREATED) {
      return false;
    }
    // fetched when somebody asks: the first answers do not have it
    Map<String, Long> counted =
        FlinkRest.orNull(() -> flink().metrics(endpoint, job.jobId(), List.of(RESTARTS)));
    return counted == null || counted.getOrDefault(RESTARTS, 1L) > 0;
  }

  private CheckpointSettings settings(JobOverview job) {
    if (settings == null) {
      Optional<CheckpointSettings> how =
          FlinkRest.orNull(() -> flink().checkpointSettings(endpoint, job.jobId()));
      if (how == null) {
        return new CheckpointSettings(Retention.UNKNOWN, SAVEPOINT_TIMEOUT);
      }
      // without checkpointing there is nothing to delete
      settings = how.orElseGet(() -> new CheckpointSettings(Retention.RETAINED, SAVEPOINT_TIMEOUT));
    }
    return settings;
  }

  private static List<String> ids(List<JobOverview> jobs) {
    return jobs.stream().map(JobOverview::jobId).toList();
  }
}
