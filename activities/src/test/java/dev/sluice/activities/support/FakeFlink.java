package dev.sluice.activities.support;

import dev.sluice.activities.flink.CancelAnswer;
import dev.sluice.activities.flink.CheckpointOperation;
import dev.sluice.activities.flink.CheckpointType;
import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.DisposalOperation;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.ExecutionResult;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.flink.SavepointFormat;
import dev.sluice.activities.flink.SavepointOperation;
import dev.sluice.activities.flink.Triggered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A JobManager whose state the test sets, and that notes what was asked to have an effect. */
public final class FakeFlink implements FlinkRest {

  public static final String JOB = "ab12cd34ab12cd34ab12cd34ab12cd34";

  /** Calls with an effect, in order. */
  public final List<String> effects = new ArrayList<>();

  /** How many requests there were, answered or not. */
  public int requests;

  private final Map<String, JobOverview> jobs = new LinkedHashMap<>();
  private final Map<String, SavepointOperation> savepoints = new HashMap<>();
  private @Nullable Checkpoints checkpoints;
  private Optional<JobExceptions.Latest> exception = Optional.empty();
  private @Nullable RuntimeException refusal;
  private boolean up = true;

  /** The job is in that state, with that many of 8 tasks running. */
  public FakeFlink job(JobState state, int running) {
    Instant start = Instant.parse("2026-11-21T07:00:00Z");
    jobs.put(
        JOB,
        new JobOverview(
            JOB,
            "orders",
            state,
            start,
            Optional.empty(),
            start,
            new JobOverview.Tasks(8, 0, 8 - running, 0, 0, running, 0, 0, 0, 0, 0)));
    return this;
  }

  public FakeFlink running() {
    return job(JobState.RUNNING, 8);
  }

  public FakeFlink noJob() {
    jobs.clear();
    return this;
  }

  /** The JobManager was killed and is back: it has forgotten all triggers. */
  public FakeFlink restarted() {
    savepoints.clear();
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

  public FakeFlink failedWith(String message) {
    exception =
        Optional.of(
            new JobExceptions.Latest(
                new FlinkCause("IllegalStateException", message), Instant.EPOCH, Optional.empty()));
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
  public CompletableFuture<ClusterOverview> overview(Endpoint cluster) {
    return answer(() -> new ClusterOverview("2.2.1", "450c63e", 1, 2, 0, 1, 0, 0, 0));
  }

  @Override
  public CompletableFuture<JobsOverview> jobsOverview(Endpoint cluster) {
    return answer(() -> new JobsOverview(List.copyOf(jobs.values())));
  }

  @Override
  public CompletableFuture<Checkpoints> checkpoints(Endpoint cluster, String jobId) {
    return answer(
        () -> {
          if (checkpoints == null) {
            throw new FlinkRestException.NotFound("no checkpointing");
          }
          return checkpoints;
        });
  }

  @Override
  public CompletableFuture<Triggered> stopWithSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      boolean drain,
      SavepointFormat format) {
    return answer(
        () -> {
          effects.add("stop " + triggerId + " to " + targetDirectory + " " + format);
          if (refusal != null) {
            throw refusal;
          }
          savepoints.putIfAbsent(triggerId, new SavepointOperation.InProgress());
          return new Triggered(triggerId);
        });
  }

  @Override
  public CompletableFuture<SavepointOperation> savepointStatus(
      Endpoint cluster, String jobId, String triggerId) {
    return answer(() -> savepoints.getOrDefault(triggerId, new SavepointOperation.Unknown()));
  }

  @Override
  public CompletableFuture<CancelAnswer> cancel(Endpoint cluster, String jobId) {
    return answer(
        () -> {
          effects.add("cancel " + jobId);
          return CancelAnswer.ACCEPTED;
        });
  }

  @Override
  public CompletableFuture<JobExceptions> exceptions(Endpoint cluster, String jobId) {
    return answer(() -> new JobExceptions(exception));
  }

  private <T> CompletableFuture<T> answer(Supplier<T> answer) {
    requests++;
    if (!up) {
      return CompletableFuture.failedFuture(
          new FlinkRestException.Unreachable("connection refused", null));
    }
    try {
      return CompletableFuture.completedFuture(answer.get());
    } catch (FlinkRestException wrong) {
      return CompletableFuture.failedFuture(wrong);
    }
  }

  @Override
  public CompletableFuture<JobState> jobStatus(Endpoint cluster, String jobId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Triggered> triggerSavepoint(
      Endpoint cluster,
      String jobId,
      String triggerId,
      @Nullable String targetDirectory,
      SavepointFormat format) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Triggered> triggerCheckpoint(
      Endpoint cluster, String jobId, String triggerId, CheckpointType type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<CheckpointOperation> checkpointStatus(
      Endpoint cluster, String jobId, String triggerId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<ExecutionResult> executionResult(Endpoint cluster, String jobId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Triggered> disposeSavepoint(Endpoint cluster, String savepointPath) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<DisposalOperation> disposalStatus(Endpoint cluster, String triggerId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
