package dev.sluice.controller.support;

import dev.sluice.activities.flink.Checkpoints;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkCause;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobExceptions;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobOverview.TaskState;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.flink.TaskManagerOverview;
import dev.sluice.api.common.FlinkJobState;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Answers as Flink would, as many clusters as are asked for, all with the same job. */
public final class FakeFlink {

  private final AtomicInteger jobsAsked = new AtomicInteger();
  private final AtomicInteger infoAsked = new AtomicInteger();
  private final AtomicInteger causesAsked = new AtomicInteger();
  private final AtomicInteger typeAsked = new AtomicInteger();
  private final AtomicInteger sizeAsked = new AtomicInteger();
  private final AtomicInteger metricsAsked = new AtomicInteger();
  private volatile Map<String, Long> counted = Map.of();
  private volatile Optional<Checkpoints> taken = Optional.empty();
  private volatile boolean answers = true;
  private volatile boolean tellsInfo = true;
  private volatile JobType type = JobType.STREAMING;
  private volatile Instant modified = Instant.ofEpochMilli(2_000);
  private volatile boolean holds;
  private volatile boolean refusesToAsk;
  private volatile List<JobExceptions.Failure> failures = List.of();
  private volatile JobsOverview jobs = new JobsOverview(List.of());
  private volatile CompletableFuture<JobsOverview> held = new CompletableFuture<>();

  /** The client that asks it. */
  public FlinkRest client() {
    return (FlinkRest)
        Proxy.newProxyInstance(
            FlinkRest.class.getClassLoader(),
            new Class<?>[] {FlinkRest.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "jobsOverview" -> jobsOverview((Endpoint) arguments[0]);
                  case "overview" -> overview();
                  case "exceptions" -> exceptions();
                  case "jobType" -> jobType();
                  case "taskManagers" -> taskManagers();
                  case "checkpoints" -> taken;
                  case "checkpointSettings" -> Optional.empty();
                  case "stateSize" -> stateSize();
                  case "metrics" -> metrics();
                  case "within" -> proxy;
                  case "close" -> null;
                  case "toString" -> "fake Flink";
                  default -> throw new AssertionError("the controller must not call " + method);
                });
  }

  private JobsOverview jobsOverview(Endpoint cluster) {
    jobsAsked.incrementAndGet();
    if (refusesToAsk) {
      throw new IllegalArgumentException("unexpected port: 0");
    }
    try {
      return holds ? held.get() : orAway(answers, jobs);
    } catch (InterruptedException | ExecutionException e) {
      Thread.currentThread().interrupt();
      throw new FlinkRestException.Unreachable(cluster + " was abandoned", e);
    }
  }

  private static <T> T orAway(boolean answers, T answer) {
    if (!answers) {
      throw new FlinkRestException.Unreachable("away", null);
    }
    return answer;
  }

  /** Whether the client throws, as for an address that is none. */
  public FakeFlink refusesToAsk(boolean now) {
    refusesToAsk = now;
    return this;
  }

  /** What the job counts. */
  public FakeFlink counts(Map<String, Long> now) {
    counted = now;
    return this;
  }

  private List<TaskManagerOverview> taskManagers() {
    return orAway(answers, List.of(new TaskManagerOverview(Instant.now(), 4, 1)));
  }

  /** Its job has completed a checkpoint there. */
  public FakeFlink checkpointAt(String path) {
    taken =
        Optional.of(
            new Checkpoints(
                new Checkpoints.Counts(1, 0, 0),
                Optional.of(
                    new Checkpoints.Completed(
                        1,
                        Checkpoints.Kind.CHECKPOINT,
                        Optional.of(path),
                        false,
                        Instant.ofEpochMilli(2_000))),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    return this;
  }

  /** How often it was asked for what the job counts. */
  public int metricsAsked() {
    return metricsAsked.get();
  }

  private Map<String, Long> metrics() {
    metricsAsked.incrementAndGet();
    return counted;
  }

  private ClusterOverview overview() {
    infoAsked.incrementAndGet();
    return orAway(answers && tellsInfo, new ClusterOverview("1.20.5", "abc1234", 1, 2));
  }

  private JobExceptions exceptions() {
    causesAsked.incrementAndGet();
    return new JobExceptions(failures);
  }

  private JobType jobType() {
    typeAsked.incrementAndGet();
    return type;
  }

  private OptionalLong stateSize() {
    sizeAsked.incrementAndGet();
    return OptionalLong.of(42_424_242);
  }

  /** How often it was asked for the size of its state. */
  public int sizeAsked() {
    return sizeAsked.get();
  }

  /** Its job is of this type; it is a streaming job unless this is said. */
  public FakeFlink type(JobType type) {
    this.type = type;
    return this;
  }

  /** How often it was asked for the type of its job. */
  public int typeAsked() {
    return typeAsked.get();
  }

  /** From now on it says why its job has failed. */
  public FakeFlink failsBecause(String type, String message) {
    return failsBecause(Instant.ofEpochMilli(3_000), type, message);
  }

  /** From now on it says also this. */
  public FakeFlink failsBecause(Instant at, String type, String message) {
    failures =
        Stream.concat(
                Stream.of(
                    new JobExceptions.Failure(
                        new FlinkCause(type, message),
                        at,
                        new JobExceptions.Origin(Optional.of("map"), Optional.of("tm-1")),
                        List.of("at a.B.c(B.java:1)"))),
                failures.stream())
            .toList();
    return this;
  }

  /** Its job's tasks changed since then. */
  public FakeFlink modified(Instant at) {
    modified = at;
    return this;
  }

  /** From now on it has this job. */
  public FakeFlink job(String id, FlinkJobState state, int running, int total) {
    return job(
        id,
        state,
        new JobOverview.Tasks(
            total, Map.of(TaskState.RUNNING, running, TaskState.SCHEDULED, total - running)));
  }

  /** From now on it has this job, and says no more why it has failed. */
  public FakeFlink job(String id, FlinkJobState state, JobOverview.Tasks tasks) {
    answers = true;
    failures = List.of();
    jobs = new JobsOverview(List.of(overview(id, state, tasks)));
    return this;
  }

  /** From now on it has this job, too. */
  public FakeFlink andJob(String id, FlinkJobState state, int running, int total) {
    JobOverview.Tasks tasks =
        new JobOverview.Tasks(
            total, Map.of(TaskState.RUNNING, running, TaskState.SCHEDULED, total - running));
    jobs =
        new JobsOverview(
            Stream.concat(
                    jobs.jobs().stream().filter(job -> !job.jobId().equals(id)),
                    Stream.of(overview(id, state, tasks)))
                .toList());
    return this;
  }

  /** From now on it does not know this job any more. */
  public FakeFlink without(String id) {
    jobs = new JobsOverview(jobs.jobs().stream().filter(job -> !job.jobId().equals(id)).toList());
    return this;
  }

  private JobOverview overview(String id, FlinkJobState state, JobOverview.Tasks tasks) {
    return new JobOverview(
        id,
        "orders",
        state,
        state.name(),
        new JobOverview.Times(Instant.ofEpochMilli(1_000), Optional.empty(), modified),
        tasks);
  }

  /** From now on it does not answer. */
  public void fails() {
    answers = false;
  }

  /** Whether it answers when it is asked about itself. */
  public FakeFlink tellsInfo(boolean tells) {
    tellsInfo = tells;
    return this;
  }

  /** From now on it is silent. */
  public void holds() {
    held = new CompletableFuture<>();
    holds = true;
  }

  /** How often it was asked for its jobs. */
  public int jobsAsked() {
    return jobsAsked.get();
  }

  /** How often it was asked about itself. */
  public int infoAsked() {
    return infoAsked.get();
  }

  /** How often it was asked why a job has failed. */
  public int causesAsked() {
    return causesAsked.get();
  }
}
