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
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.flink.JobOverview;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.activity.JobActivities.AwaitRunningRequest;
import dev.sluice.workflows.activity.JobActivities.RunningJob;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobRef;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Waits until every task of a new job is up and what is checked then is so. One instance for each
 * attempt of the activity.
 *
 * @param <T> what the activity returns
 */
final class JobUpWait<T> {

  /**
   * Without a TaskManager no task runs; asking is only to notice a job that failed at its start.
   */
  private static final Duration WITHOUT_TASK_MANAGERS = Duration.ofSeconds(2);

  private final JobRef wanted;
  private final JobTarget target;
  private final ClusterCache cache;
  private final FlinkRest flink;
  private final Clock clock;
  private final ConfirmedProblem problem;
  private final UpCheck<T> check;
  private final SettleTimer failure;
  private final Throttle seldom;
  private final KnownType type = new KnownType();
  private String progress = "the job was not observed yet";

  /**
   * @param check what must be so once every task is up
   */
  JobUpWait(
      JobRef wanted, JobTarget target, ClusterAccess access, FlinkRest flink, UpCheck<T> check) {
    this.wanted = wanted;
    this.target = target;
    this.cache = access.cache();
    this.flink = flink;
    this.clock = access.clock();
    this.problem = new ConfirmedProblem(wanted.cluster(), access);
    this.check = check;
    this.seldom = new Throttle(clock, WITHOUT_TASK_MANAGERS);
    this.failure = new SettleTimer(clock, target.statisticsAge());
  }

  /** A wait for a new job, which is then asked what it was restored from. */
  static JobUpWait<RunningJob> ofStart(
      AwaitRunningRequest request, JobTarget target, ClusterAccess access, FlinkRest flink) {
    return new JobUpWait<>(
        request.job(),
        target,
        access,
        flink,
        new RestoreCheck(request, target, flink, access.clock()));
  }

  ProbeResult<T> look() {
    ClusterRef cluster = wanted.cluster();
    List<Pod> pods = cache.pods(cluster);
    List<PodProblem> problems = PodProblems.of(pods, cache.deployments(cluster));
    return problem
        .among(problems)
        .map(it -> ProbeResult.<T>failed(it.failureType(), it.message()))
        .orElseGet(() -> askFlink(pods, problems));
  }

  private ProbeResult<T> askFlink(List<Pod> pods, List<PodProblem> problems) {
    if (!check.isOverdue() && !PodCounts.anyTaskManagerRuns(pods) && !seldom.isDue()) {
      return notYet(progress);
    }
    JobsOverview overview;
    try {
      overview = flink.jobsOverview(target.endpoint());
    } catch (FlinkRestException silent) {
      progress =
          "the JobManager does not answer; JobManager pods: "
              + PodCounts.jobManagers(pods)
              + first(problems);
      return unlessOverdue(check.silent(progress));
    }
    return unlessOverdue(lookAt(overview, pods, problems));
  }

  private ProbeResult<T> lookAt(JobsOverview overview, List<Pod> pods, List<PodProblem> problems) {
    List<JobOverview> others =
        target.cluster().session() ? List.of() : overview.aliveBut(wanted.jobId());
    if (!others.isEmpty()) {
      return ProbeResult.failed(FailureType.OTHER_JOBS, others(others));
    }
    Optional<JobOverview> found = overview.job(wanted.jobId());
    if (found.isEmpty()) {
      check.notUp();
      return notYet(
          // one that cannot be submitted may end its JobManager before anybody sees it
          "the JobManager answers; the job is not submitted yet; "
              + PodProblems.jobManagerRestarted(pods).map(it -> it + " ").orElse("")
              + taskManagers(pods, problems));
    }
    JobOverview job = found.get();
    if (job.state() == FlinkJobState.FAILED) {
      return failed();
    }
    if (job.state() == FlinkJobState.CANCELED) {
      return ProbeResult.failed(FailureType.JOB_FAILED, "Job " + wanted.jobId() + " was cancelled");
    }
    // a bounded job may be through before it was ever looked at
    if (job.state() != FlinkJobState.FINISHED && !type.isUp(job, target.endpoint(), flink)) {
      return notUp(job, pods, problems);
    }
    progress = job.display();
    return check.check(job);
  }

  private ProbeResult<T> notUp(JobOverview job, List<Pod> pods, List<PodProblem> problems) {
    check.notUp();
    String state = job.state() == FlinkJobState.RUNNING ? "" : "job is " + job.word() + "; ";
    // where Flink asks Kubernetes for them, only its log has the refusal
    boolean refused =
        !PodCounts.anyTaskManager(pods) && cache.taskManagers(wanted.cluster()).isEmpty();
    return notYet(
        state
            + job.tasks().display()
            + "; "
            + taskManagers(pods, problems)
            + (refused
                ? " (if that lasts, the JobManager's log says why: a quota, a missing right)"
                : ""));
  }

  private String others(List<JobOverview> others) {
    return "Cluster %s runs other jobs than %s: %s. Cancel them, or move them to another cluster."
        .formatted(
            wanted.cluster().display(),
            wanted.jobId(),
            others.stream()
                .map(job -> "%s (%s, %s)".formatted(job.jobId(), job.name(), job.word()))
                .collect(Collectors.joining(", ")));
  }

  private ProbeResult<T> failed() {
    // the exception history comes from a cache, too
    boolean last = failure.reached();
    Optional<String> exception = exception();
    return exception.isEmpty() && !last
        ? notYet("the job is FAILED; waiting for its exception")
        : ProbeResult.failed(
            FailureType.JOB_FAILED,
            "Job %s failed: %s"
                .formatted(
                    wanted.jobId(), exception.orElse("Flink does not say why; see its log")));
  }

  private ProbeResult<T> unlessOverdue(ProbeResult<T> seen) {
    if (!(seen instanceof ProbeResult.NotYet<T> missing) || !check.isOverdue()) {
      return seen;
    }
    return check.overdue(
        missing.progress() + exception().map(text -> ". Newest exception: " + text).orElse(""));
  }

  private Optional<String> exception() {
    try {
      return flink
          .exceptions(target.endpoint(), wanted.jobId(), 1)
          .latest()
          .map(latest -> latest.cause().summary());
    } catch (FlinkRestException unknown) {
      return Optional.empty();
    }
  }

  private static String first(List<PodProblem> problems) {
    return problems.stream().findFirst().map(it -> "; " + it.message()).orElse("");
  }

  private static String taskManagers(List<Pod> pods, List<PodProblem> problems) {
    return "TaskManager pods: " + PodCounts.taskManagers(pods) + first(problems);
  }

  private ProbeResult<T> notYet(String words) {
    progress = words;
    return ProbeResult.notYet(words);
  }
}
