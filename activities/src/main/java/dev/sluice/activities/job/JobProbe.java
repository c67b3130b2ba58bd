package dev.sluice.activities.job;

import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.Checkpoints.Completed;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
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
  private @Nullable JobType type;

  /** Whether Flink answered for the newest state in this look. */
  private boolean told;

  /** What it answered; null when nothing. */
  private @Nullable Checkpoints checkpoints;

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

  private JobProbe(
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

  /**
   * A probe of one cluster.
   *
   * @param expected the job that the cluster was made for; null when that is not known: then it is
   *     the one that lives, or else the one that started last
   * @param statisticsAge see {@link Statistics#age}
   */
  public static JobProbe at(
      FlinkRest flink,
      Endpoint endpoint,
      @Nullable String expected,
      Duration statisticsAge,
      Clock clock) {
    return new JobProbe(flink, endpoint, expected, statisticsAge, clock);
  }

  /** Takes one look. Never fails: what cannot be told is {@link JobObservation.Unreachable}. */
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
    NewestState newest = newest(job);
    return new Probe(
        new JobObservation.Ended(job.jobId(), job.state(), newest.state(), newest.progressed()),
        others,
        last && told,
        "the job is " + job.word() + (last ? "" : ", its statistics are not final yet"));
  }

  private Probe alive(JobOverview job, List<String> others) {
    // a job that is not up completes no checkpoint; one that is may have done so since
    boolean standing = !job.isUp() && statistics.reached();
    if (job.isUp()) {
      statistics.reset();
    }
    NewestState newest = newest(job);
    JobObservation.Alive seen = observed(job, newest, settings(job), standing, times(job));
    return seen.times().takesSavepoint()
        ? new Probe(seen, others, false, job.display() + ", a savepoint is in progress")
        : new Probe(seen, others, settled(job) && told, job.display());
  }

  private static JobObservation.Alive observed(
      JobOverview job,
      NewestState newest,
      CheckpointSettings how,
      boolean standing,
      JobObservation.Times times) {
    return new JobObservation.Alive(
        job.jobId(),
        job.state(),
        job.tasks().observed(),
        newest.state(),
        newest.progressed() || !standing,
        how.retention(),
        how.timeout().toMillis(),
        times);
  }

  private JobObservation.Times times(JobOverview job) {
    Optional<Checkpoints> known = Optional.ofNullable(checkpoints);
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

  private NewestState newest(JobOverview job) {
    NewestState newest = told(job);
    return newest.state() instanceof StateRef.Empty && mayHaveLostItsSlots(job)
        ? NewestState.unknown("Flink does not tell the checkpoints of a job that waits for slots")
        : newest;
  }

  /**
   * An adaptive scheduler shows a job that waits for slots as one that was only just created, and
   * without statistics, but counts its restarts on.
   */
  private boolean mayHaveLostItsSlots(JobOverview job) {
    if (job.state() != FlinkJobState.CREATED) {
      return false;
    }
    try {
      // fetched when somebody asks: the first answers do not have it
      return flink().metrics(endpoint, job.jobId(), List.of(RESTARTS)).getOrDefault(RESTARTS, 1L)
          > 0;
    } catch (FlinkRestException unknown) {
      return true;
    }
  }

  private NewestState told(JobOverview job) {
    told = false;
    checkpoints = null;
    try {
      Optional<Checkpoints> found = flink().checkpoints(endpoint, job.jobId());
      told = true;
      checkpoints = found.orElse(null);
      return NewestState.of(job.state(), job.jobId(), found);
    } catch (FlinkRestException untold) {
      return NewestState.unknown(String.valueOf(untold.getMessage()));
    }
  }

  private CheckpointSettings settings(JobOverview job) {
    CheckpointSettings known = settings;
    if (known != null) {
      return known;
    }
    try {
      // without checkpointing there is nothing to delete
      CheckpointSettings how =
          flink()
              .checkpointSettings(endpoint, job.jobId())
              .orElseGet(() -> new CheckpointSettings(Retention.RETAINED, SAVEPOINT_TIMEOUT));
      settings = how;
      return how;
    } catch (FlinkRestException untold) {
      return new CheckpointSettings(Retention.UNKNOWN, SAVEPOINT_TIMEOUT);
    }
  }

  private boolean settled(JobOverview job) {
    if (!job.isUpAsBatch() || job.isUp() || type != null) {
      return job.isUp() || (job.isUpAsBatch() && type == JobType.BATCH);
    }
    try {
      type = flink().jobType(endpoint, job.jobId());
      return type == JobType.BATCH;
    } catch (FlinkRestException unknown) {
      return false;
    }
  }

  private static List<String> ids(List<JobOverview> jobs) {
    return jobs.stream().map(JobOverview::jobId).toList();
  }
}
