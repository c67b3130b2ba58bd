package dev.sluice.activities.job;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.PodCounts;
import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.cluster.ProblemDebouncer;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobState;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.operation.FailureType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Waits until every task of a new job runs, then asks what it was restored from. One instance for
 * each attempt of the activity.
 */
final class RunningWait {

  /**
   * Without a TaskManager no task runs; asking is only to notice a job that failed at its start.
   */
  private static final Duration WITHOUT_TASK_MANAGERS = Duration.ofSeconds(2);

  private final AwaitRunningRequest request;
  private final JobTarget target;
  private final ClusterCache view;
  private final FlinkRest flink;
  private final Clock clock;
  private final ProblemDebouncer lasting;
  private final RestoreCheck restored;
  private final SettleTimer failure;
  private final Throttle seldom;
  private String progress = "nothing was seen of the job yet";

  RunningWait(
      AwaitRunningRequest request,
      JobTarget target,
      ClusterCache view,
      FlinkRest flink,
      Clock clock) {
    this.request = request;
    this.target = target;
    this.view = view;
    this.flink = flink;
    this.clock = clock;
    this.lasting = new ProblemDebouncer(clock);
    this.restored = new RestoreCheck(request, target, flink, clock);
    this.seldom = new Throttle(clock, WITHOUT_TASK_MANAGERS);
    this.failure = new SettleTimer(clock, target.statisticsAge());
  }

  CompletableFuture<ProbeResult<RunningJob>> look() {
    List<Pod> pods = view.pods(request.resource());
    List<PodProblem> problems =
        PodProblems.of(pods, view.deployment(request.resource()).orElse(null));
    Optional<PodProblem> problem = lasting.in(problems);
    if (problem.isPresent()) {
      return outcome(ProbeResult.failed(FailureType.CLUSTER_NOT_READY, problem.get().message()));
    }
    if (clock.millis() >= request.deadlineMs()) {
      return tooLate();
    }
    if (!PodCounts.anyTaskManagerRuns(pods) && !seldom.isDue()) {
      return notYet(progress);
    }
    String around = around(pods, problems);
    return flink
        .jobsOverview(target.endpoint())
        .handle(
            (overview, silent) ->
                silent == null
                    ? lookAt(overview, around)
                    : notYet(
                        "the JobManager does not answer; JobManager pods: "
                            + PodCounts.jobManagers(pods)))
        .thenCompose(later -> later);
  }

  private CompletableFuture<ProbeResult<RunningJob>> lookAt(JobsOverview overview, String around) {
    Optional<JobOverview> found = overview.job(request.jobId());
    if (found.isEmpty()) {
      return notYet("the JobManager answers; the job is not submitted yet; " + around);
    }
    JobOverview job = found.get();
    if (job.state() == JobState.FAILED) {
      return failed();
    }
    if (job.state() == JobState.CANCELED) {
      return outcome(
          ProbeResult.failed(FailureType.JOB_FAILED, "somebody cancelled job " + request.jobId()));
    }
    // a bounded job may be through before it was ever looked at
    if (job.allTasksRunning() || job.state() == JobState.FINISHED) {
      progress = "all " + job.tasks().total() + " tasks run";
      return restored.check(job);
    }
    restored.notYet();
    String state = job.state() == JobState.RUNNING ? "" : "job is " + job.state() + "; ";
    return notYet("JobManager answers; " + state + job.tasks().progress() + "; " + around);
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
                            "job %s failed: %s"
                                .formatted(
                                    request.jobId(),
                                    exception.orElse("Flink does not say why; see its log")))));
  }

  private CompletableFuture<ProbeResult<RunningJob>> tooLate() {
    return exception()
        .thenApply(
            exception ->
                ProbeResult.failed(
                    FailureType.CLUSTER_NOT_READY,
                    "not every task of job %s ran in time: %s%s"
                        .formatted(
                            request.jobId(),
                            progress,
                            exception.map(text -> ". Newest exception: " + text).orElse(""))));
  }

  private CompletableFuture<Optional<String>> exception() {
    return flink
        .exceptions(target.endpoint(), request.jobId())
        .thenApply(all -> all.latest().map(latest -> latest.cause().summary()))
        .exceptionally(unknown -> Optional.empty());
  }

  private static String around(List<Pod> pods, List<PodProblem> problems) {
    return "TaskManager pods: "
        + PodCounts.taskManagers(pods)
        + problems.stream().findFirst().map(first -> " (" + first.message() + ")").orElse("");
  }

  private CompletableFuture<ProbeResult<RunningJob>> notYet(String words) {
    progress = words;
    return outcome(ProbeResult.notYet(words));
  }

  private static CompletableFuture<ProbeResult<RunningJob>> outcome(
      ProbeResult<RunningJob> outcome) {
    return CompletableFuture.completedFuture(outcome);
  }
}
