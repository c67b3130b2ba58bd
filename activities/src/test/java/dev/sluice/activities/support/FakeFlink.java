package dev.sluice.activities.support;

import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.CheckpointSettings;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import dev.sluice.api.common.CheckpointType;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.JobObservation.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A JobManager whose state the test sets, and that notes what was asked to have an effect. */
public final class FakeFlink extends AdaptiveScheduler {

  public static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";

  /** How many requests there were, answered or not. */
  public int requests;

  /** Those that are registered. */
  public int taskManagers = 1;

  /** When its jobs began, unless it was restarted. */
  public static final Instant BEGUN = Instant.parse("2026-11-21T07:00:00Z");

  private final Map<String, JobOverview> jobs = new LinkedHashMap<>();
  private final Map<String, SavepointOperation> savepoints = new HashMap<>();
  private final Map<String, CheckpointOperation> triggered = new HashMap<>();
  private final Map<String, DisposalOperation> disposals = new HashMap<>();
  private final Map<Long, Checkpoints.Completed> completed = new HashMap<>();
  private final Map<String, Checkpoints> checkpointsOf = new HashMap<>();
  private @Nullable Checkpoints checkpoints;
  private Optional<JobExceptions.Failure> exception = Optional.empty();
  private @Nullable RuntimeException refusal;
  private boolean up = true;
  private Runnable afterJobs = () -> {};
  private Instant begun = BEGUN;
  private JobType type = JobType.STREAMING;
  private Map<String, Long> metrics = Map.of();
  private Optional<CheckpointSettings> settings =
      Optional.of(new CheckpointSettings(Retention.RETAINED, Duration.ofMinutes(7)));

  /** The job is in that state, with that many of 8 tasks running. */
  public FakeFlink job(FlinkJobState state, int running) {
    return job(JOB, state, tasks(running, 0, 8 - running));
  }

  /** A job in that state with those tasks. */
  public FakeFlink job(String id, FlinkJobState state, JobOverview.Tasks tasks) {
    JobOverview before = jobs.get(id);
    Instant start = before == null ? begun.plusSeconds(jobs.size()) : before.times().start();
    jobs.put(
        id,
        new JobOverview(
            id,
            "orders",
            state,
            state.name(),
            new JobOverview.Times(start, Optional.empty(), start),
            tasks));
    return this;
  }

  /** It knows that job, too. */
  public FakeFlink job(JobOverview some) {
    jobs.put(some.jobId(), some);
    return this;
  }

  /** Its job's tasks came into their states then, and it is now that time. */
  public FakeFlink unchangedSince(Instant then, Instant now) {
    jobs.computeIfPresent(
        JOB,
        (id, job) ->
            new JobOverview(
                id,
                job.name(),
                job.state(),
                job.word(),
                new JobOverview.Times(
                    job.times().start(), Optional.empty(), then, Optional.of(now)),
                job.tasks()));
    return this;
  }

  /** Its jobs take checkpoints by themselves. */
  public FakeFlink checkpointing(Duration interval, Duration timeout) {
    settings =
        Optional.of(new CheckpointSettings(Retention.RETAINED, timeout, Optional.of(interval)));
    return this;
  }

  /** So many running, finished and scheduled tasks. */
  public static JobOverview.Tasks tasks(int running, int finished, int scheduled) {
    return new JobOverview.Tasks(
        running + finished + scheduled,
        Map.of(
            TaskState.RUNNING,
            running,
            TaskState.FINISHED,
            finished,
            TaskState.SCHEDULED,
            scheduled));
  }

  public FakeFlink running() {
    return job(FlinkJobState.RUNNING, 8);
  }

  /** Its jobs are executed like that. */
  public FakeFlink type(JobType some) {
    type = some;
    return this;
  }

  /** What its jobs count. */
  public FakeFlink metrics(Map<String, Long> some) {
    metrics = some;
    return this;
  }

  /** What its jobs' settings say of checkpoints. */
  public FakeFlink retention(Retention some) {
    settings = Optional.of(new CheckpointSettings(some, Duration.ofMinutes(7)));
    return this;
  }

  /** Its jobs cannot take checkpoints at all. */
  public FakeFlink withoutCheckpointing() {
    settings = Optional.empty();
    checkpoints = null;
    return this;
  }

  public FakeFlink noJob() {
    jobs.clear();
    return this;
  }

  /** The JobManager was killed and is back: it has forgotten all triggers and all jobs. */
  public FakeFlink restarted(Instant at) {
    savepoints.clear();
    jobs.clear();
    begun = at;
    return this;
  }

  public FakeFlink savepoint(String triggerId, SavepointOperation operation) {
    savepoints.put(triggerId, operation);
    return this;
  }

  public FakeFlink savepointFailed(String triggerId) {
    return savepoint(
        triggerId, new SavepointOperation.Failed(new FlinkCause("IOException", "disk is full")));
  }

  public FakeFlink checkpoints(Checkpoints some) {
    checkpoints = some;
    return this;
  }

  /** The same of one job, where it is not as of the others. */
  public FakeFlink checkpoints(String jobId, Checkpoints some) {
    checkpointsOf.put(jobId, some);
    return this;
  }

  public FakeFlink failedWith(String message) {
    exception =
        Optional.of(
            new JobExceptions.Failure(
                new FlinkCause("IllegalStateException", message),
                Instant.EPOCH,
                JobExceptions.Origin.JOB,
                List.of()));
    return this;
  }

  public FakeFlink refuse(RuntimeException with) {
    refusal = with;
    return this;
  }

  public FakeFlink up(boolean answers) {
    up = answers;
    return this;
  }

  @Override
  public ClusterOverview overview(Endpoint cluster) {
    return answer(() -> new ClusterOverview("2.2.1", "450c63e", taskManagers, 2 * taskManagers));
  }

  @Override
  public JobsOverview jobsOverview(Endpoint cluster) {
    JobsOverview all = answer(() -> new JobsOverview(List.copyOf(jobs.values())));
    afterJobs.run();
    return all;
  }

  /** This happens each time after it has answered which jobs it has. */
  public FakeFlink afterJobs(Runnable effect) {
    afterJobs = effect;
    return this;
  }

  @Override
  public Optional<Checkpoints> checkpoints(Endpoint cluster, String jobId) {
    return answer(() -> Optional.ofNullable(checkpointsOf.getOrDefault(jobId, checkpoints)));
  }

  @Override
  public Optional<CheckpointSettings> checkpointSettings(Endpoint cluster, String jobId) {
    return answer(() -> settings);
  }

  @Override
  public JobType jobType(Endpoint cluster, String jobId) {
    return answer(() -> type);
  }

  @Override
  public Triggered stopWithSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      boolean drain,
      SavepointFormat format) {
    return answer(
        () -> {
          effects.add(
              "stop "
                  + triggerId
                  + " to "
                  + targetDirectory
                  + " "
                  + format
                  + (drain ? " drained" : ""));
          if (refusal != null) {
            throw refusal;
          }
          savepoints.putIfAbsent(triggerId, new SavepointOperation.InProgress());
          return new Triggered(triggerId);
        });
  }

  @Override
  public SavepointOperation savepointStatus(Endpoint cluster, String jobId, String triggerId) {
    return answer(() -> savepoints.getOrDefault(triggerId, new SavepointOperation.Unknown()));
  }

  @Override
  public void cancel(Endpoint cluster, String jobId) {
    boolean unused = answer(() -> effects.add("cancel " + jobId));
  }

  @Override
  public Optional<Checkpoints.Completed> completedCheckpoint(
      Endpoint cluster, String jobId, long checkpointId) {
    return answer(() -> Optional.ofNullable(completed.get(checkpointId)));
  }

  /** Flink tells where a checkpoint is. */
  public FakeFlink completed(Checkpoints.Completed some) {
    completed.put(some.id(), some);
    return this;
  }

  @Override
  public OptionalLong stateSize(Endpoint cluster, String jobId) {
    return answer(OptionalLong::empty);
  }

  @Override
  public Map<String, Long> metrics(Endpoint cluster, String jobId, List<String> names) {
    return answer(() -> metrics);
  }

  @Override
  public JobExceptions exceptions(Endpoint cluster, String jobId, int most) {
    return answer(() -> new JobExceptions(exception.stream().toList()));
  }

  @Override
  <T> T answer(Supplier<T> answer) {
    requests++;
    if (!up) {
      throw new FlinkRestException.Unreachable("connection refused", null);
    }
    return answer.get();
  }

  @Override
  public FlinkRest within(Duration atMost) {
    return this;
  }

  @Override
  public Triggered triggerSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      SavepointFormat format) {
    return answer(
        () -> {
          effects.add("savepoint " + triggerId + " to " + targetDirectory + " " + format);
          if (refusal != null) {
            throw refusal;
          }
          savepoints.putIfAbsent(triggerId, new SavepointOperation.InProgress());
          return new Triggered(triggerId);
        });
  }

  @Override
  public Triggered triggerCheckpoint(
      Endpoint cluster, String jobId, String triggerId, CheckpointType type) {
    return answer(
        () -> {
          effects.add("checkpoint " + triggerId + " " + type);
          triggered.putIfAbsent(triggerId, new CheckpointOperation.InProgress());
          return new Triggered(triggerId);
        });
  }

  /** What became of a checkpoint. */
  public FakeFlink checkpoint(String triggerId, CheckpointOperation operation) {
    triggered.put(triggerId, operation);
    return this;
  }

  @Override
  public CheckpointOperation checkpointStatus(Endpoint cluster, String jobId, String triggerId) {
    return answer(() -> triggered.getOrDefault(triggerId, new CheckpointOperation.Unknown()));
  }

  @Override
  public Triggered disposeSavepoint(Endpoint cluster, String savepointPath) {
    return answer(
        () -> {
          effects.add("dispose " + savepointPath);
          if (refusal != null) {
            throw refusal;
          }
          String id = "disposal-" + effects.size();
          disposals.put(id, new DisposalOperation.InProgress());
          return new Triggered(id);
        });
  }

  /** What became of every disposal. */
  public FakeFlink disposal(DisposalOperation operation) {
    disposals.replaceAll((id, before) -> operation);
    return this;
  }

  @Override
  public DisposalOperation disposalStatus(Endpoint cluster, String triggerId) {
    return answer(() -> disposals.getOrDefault(triggerId, new DisposalOperation.Unknown()));
  }

  @Override
  public void close() {}
}
