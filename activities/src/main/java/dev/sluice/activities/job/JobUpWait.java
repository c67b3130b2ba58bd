package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.ConfirmedProblem;
import dev.sluice.activities.cluster.PodCounts;
import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobType;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Waits until every task of a new job is up, then asks what it was restored from. One instance for
 * each attempt of the activity.
 */
final class JobStartWait {

  /**
   * Without a TaskManager no task runs; asking is only to notice a job that failed at its start.
   */
  private static final Duration WITHOUT_TASK_MANAGERS = Duration.ofSeconds(2);

  private final AwaitRunningRequest request;
  private final JobTarget target;
  private final ClusterCache cache;
  private final FlinkRest flink;
  private final Clock clock;
  private final ConfirmedProblem problem;
  private final RestoreCheck restored;
  private final SettleTimer failure;
  private final Throttle seldom;
  private @Nullable JobType type;
  private String progress = "the job was not observed yet";

  JobStartWait(
      AwaitRunningRequest request, JobTarget target, ClusterAccess access, FlinkRest flink) {
    this.request = request;
    this.target = target;
    this.cache = access.cache();
    this.flink = flink;
    this.clock = access.clock();
    this.problem = new ConfirmedProblem(request.job().cluster(), access);
    this.restored = new RestoreCheck(request, target, flink, clock);
    this.seldom = new Throttle(clock, WITHOUT_TASK_MANAGERS);
    this.failure = new SettleTimer(clock, target.statisticsAge());
  }

  CompletableFuture<ProbeResult<RunningJob>> look() {
    ClusterRef cluster = request.job().cluster();
    List<Pod> pods = cache.pods(cluster);
    List<PodProblem> problems = PodProblems.of(pods, cache.deployment(cluster).orElse(null));
    return problem
        .among(problems)
        .thenCompose(
            found ->
                found
                    .map(it -> outcome(ProbeResult.failed(it.failureType(), it.message())))
                    .orElseGet(() -> askFlink(pods, problems)));
  }

  private CompletableFuture<ProbeResult<RunningJob>> askFlink(
      List<Pod> pods, List<PodProblem> problems) {
    boolean late = clock.millis() >= request.deadlineMs();
    if (!late && !PodCounts.anyTaskManagerRuns(pods) && !seldom.isDue()) {
      return notYet(progress);
    }
    Around around = Around.of(pods, problems);
    CompletableFuture<ProbeResult<RunningJob>> seen =
        flink
            .jobsOverview(target.endpoint())
            .handle(
                (overview, silent) ->
                    silent == null
                        ? lookAt(overview, around)
                        : notYet(
                            "the JobManager does not answer; JobManager pods: "
                                + PodCounts.jobManagers(pods)
                                + first(problems)))
            .thenCompose(later -> later);
    return late ? seen.thenCompose(this::tooLate) : seen;
  }

  private CompletableFuture<ProbeResult<RunningJob>> lookAt(JobsOverview overview, Around around) {
    List<JobOverview> others = overview.aliveBut(request.job().jobId());
    if (!others.isEmpty()) {
      return outcome(ProbeResult.failed(FailureType.OTHER_JOBS, others(others)));
    }
    Optional<JobOverview> found = overview.job(request.job().jobId());
    if (found.isEmpty()) {
      return notYet("the JobManager answers; the job is not submitted yet; " + around.text());
    }
    JobOverview job = found.get();
    if (job.state() == FlinkJobState.FAILED) {
      return failed();
    }
    if (job.state() == FlinkJobState.CANCELED) {
      return outcome(
          ProbeResult.failed(
              FailureType.JOB_FAILED, "Job " + request.job().jobId() + " was cancelled"));
    }
    // a bounded job may be through before it was ever looked at
    return job.isUp() || job.state() == FlinkJobState.FINISHED
        ? up(job)
        : upAsBatch(job).thenCompose(up -> up ? up(job) : notUp(job, around));
  }

  private CompletableFuture<ProbeResult<RunningJob>> up(JobOverview job) {
    progress = job.display();
    return restored.check(job);
  }

  private CompletableFuture<ProbeResult<RunningJob>> notUp(JobOverview job, Around around) {
    restored.notYet();
    String state = job.state() == FlinkJobState.RUNNING ? "" : "job is " + job.word() + "; ";
    return notYet(state + job.tasks().display() + "; " + around.text() + around.hint());
  }

  /** Asks for the type of the job, once, when that would make a difference. */
  private CompletableFuture<Boolean> upAsBatch(JobOverview job) {
    if (!job.isUpAsBatch() || type != null) {
      return CompletableFuture.completedFuture(job.isUpAsBatch() && type == JobType.BATCH);
    }
    return flink
        .jobType(target.endpoint(), job.jobId())
        .thenApply(
            told -> {
              type = told;
              return told == JobType.BATCH;
            })
        .exceptionally(unknown -> false);
  }

  private String others(List<JobOverview> others) {
    return "Cluster %s runs other jobs than %s: %s. Cancel them, or move them to another cluster."
        .formatted(
            request.job().cluster().display(),
            request.job().jobId(),
            others.stream()
                .map(job -> "%s (%s, %s)".formatted(job.jobId(), job.name(), job.word()))
                .collect(Collectors.joining(", ")));
  }

  private CompletableFuture<ProbeResult<RunningJob>> failed() {
    // the exception history comes from a cache, too
    boolean last = failure.reached();
    return exception()
        .thenCompose(
            exception ->
                exception.isEmpty() && !last
                    ? notYet("the job is FAILED; waiting for its exception")
                    : outcome(
                        ProbeResult.failed(
                            FailureType.JOB_FAILED,
                            "Job %s failed: %s"
                                .formatted(
                                    request.job().jobId(),
                                    exception.orElse("Flink does not say why; see its log")))));
  }

  private CompletableFuture<ProbeResult<RunningJob>> tooLate(ProbeResult<RunningJob> seen) {
    if (!(seen instanceof ProbeResult.NotYet)) {
      return CompletableFuture.completedFuture(seen);
    }
    return exception()
        .thenApply(
            exception ->
                ProbeResult.failed(
                    FailureType.CLUSTER_NOT_READY,
                    "Not every task of job %s was up in time: %s%s"
                        .formatted(
                            request.job().jobId(),
                            progress,
                            exception.map(text -> ". Newest exception: " + text).orElse(""))));
  }

  private CompletableFuture<Optional<String>> exception() {
    return flink
        .exceptions(target.endpoint(), request.job().jobId(), 1)
        .thenApply(all -> all.latest().map(latest -> latest.cause().summary()))
        .exceptionally(unknown -> Optional.empty());
  }

  private static String first(List<PodProblem> problems) {
    return problems.stream().findFirst().map(it -> "; " + it.message()).orElse("");
  }

  private CompletableFuture<ProbeResult<RunningJob>> notYet(String words) {
    progress = words;
    return outcome(ProbeResult.notYet(words));
  }

  private static CompletableFuture<ProbeResult<RunningJob>> outcome(
      ProbeResult<RunningJob> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }

  /**
   * What the pods tell beside Flink.
   *
   * @param hint where to look for why there are no TaskManager pods: Flink asks Kubernetes for
   *     them, and only its log has the refusal; empty when there are some
   */
  private record Around(String text, String hint) {

    static Around of(List<Pod> pods, List<PodProblem> problems) {
      return new Around(
          "TaskManager pods: " + PodCounts.taskManagers(pods) + first(problems),
          PodCounts.anyTaskManager(pods)
              ? ""
              : " (if that lasts, the JobManager's log says why: a quota, a missing right)");
    }
  }
}
