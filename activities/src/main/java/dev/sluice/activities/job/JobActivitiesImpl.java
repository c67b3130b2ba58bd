package dev.sluice.activities.job;

import dev.sluice.activities.async.Deadline;
import dev.sluice.activities.async.Polling;
import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.activities.cluster.RestEndpoint;
import dev.sluice.activities.cluster.RunningSpec;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.Resources;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.job.AwaitRunningRequest;
import dev.sluice.workflows.job.CancelRequest;
import dev.sluice.workflows.job.JobActivities;
import dev.sluice.workflows.job.RunningJob;
import dev.sluice.workflows.job.StateTaken;
import dev.sluice.workflows.job.StopRequest;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Wires {@link JobActivities} to what carries them out. */
public final class JobActivitiesImpl implements JobActivities {

  // a small savepoint takes 40 ms: looking every 50 ms at first costs little and shows
  private static final Polling QUICK = Polling.from(Duration.ofMillis(50));

  private final Resources resources;
  private final ClusterCache view;
  private final FlinkRest flink;
  private final SavepointDirectory directory;
  private final Watcher watcher;
  private final Executor background;
  private final Clock clock;

  /**
   * @param background for short blocking calls, e.g. to a file system
   */
  public JobActivitiesImpl(
      KubernetesClient client,
      ClusterCache view,
      FlinkRest flink,
      SavepointDirectory directory,
      Watcher watcher,
      Executor background,
      Clock clock) {
    this.resources = new Resources(client);
    this.view = view;
    this.flink = flink;
    this.directory = directory;
    this.watcher = watcher;
    this.background = background;
    this.clock = clock;
  }

  @Override
  public StateTaken stopWithSavepoint(StopRequest request) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    JobTarget target = running(request.resource(), request.jobId());
    int attempt = activity.getInfo().getAttempt();
    SavepointStop stop = new SavepointStop(request, target, attempt, flink, ended(target), clock);
    return wait(
        request.resource(),
        "job to stop with a savepoint",
        request.deadlineMs(),
        QUICK,
        whileThere(request.resource(), stop::look));
  }

  @Override
  public StateTaken cancelJob(CancelRequest request) {
    JobTarget target = running(request.resource(), request.jobId());
    JobCancellation cancellation =
        new JobCancellation(request, target, flink, ended(target), clock);
    Supplier<CompletableFuture<ProbeResult<StateTaken>>> look = cancellation::look;
    return wait(
        request.resource(),
        "job to be cancelled",
        request.deadlineMs(),
        QUICK,
        request.keepState() ? whileThere(request.resource(), look) : look);
  }

  @Override
  public RunningJob awaitRunning(AwaitRunningRequest request) {
    JobTarget target = frozen(request.resource(), request.jobId());
    RunningWait running = new RunningWait(request, target, view, flink, clock);
    return wait(
        request.resource(),
        "every task to run",
        request.deadlineMs(),
        Polling.defaults(),
        running::look);
  }

  private <T> T wait(
      ResourceRef ref,
      String what,
      long deadlineMs,
      Polling polling,
      Supplier<CompletableFuture<ProbeResult<T>>> look) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    return watcher.watch(
        activity,
        Wait.of(ref.display(), what, Deadline.limit(activity, deadlineMs), look).polling(polling));
  }

  private <T> Supplier<CompletableFuture<ProbeResult<T>>> whileThere(
      ResourceRef ref, Supplier<CompletableFuture<ProbeResult<T>>> look) {
    return new WhileClusterIsThere<>(ref, view, clock, look)::look;
  }

  private EndedJob ended(JobTarget target) {
    return new EndedJob(flink, directory, background, clock, target.statisticsAge());
  }

  /** The job of the cluster that runs now. */
  private JobTarget running(ResourceRef ref, String jobId) {
    FlinkDeployment resource = read(ref);
    FlinkDeploymentSpec spec =
        RunningSpec.of(resource.getStatus(), view.deployment(ref).orElse(null)).orElse(null);
    return target(ref, jobId, spec, resource);
  }

  /** The job of the cluster that was made from the frozen target. */
  private JobTarget frozen(ResourceRef ref, String jobId) {
    FlinkDeployment resource = read(ref);
    FrozenSpec frozen = resource.getStatus().lastReconciled();
    return target(ref, jobId, frozen == null ? null : frozen.spec(), resource);
  }

  private static JobTarget target(
      ResourceRef ref, String jobId, @Nullable FlinkDeploymentSpec spec, FlinkDeployment resource) {
    return new JobTarget(
        RestEndpoint.of(ref, spec),
        jobId,
        spec == null ? FlinkConfiguration.empty() : spec.configuration(),
        resource.getSpec().configuration(),
        Statistics.age(spec));
  }

  private FlinkDeployment read(ResourceRef ref) {
    return KubernetesFailure.told("read " + ref.display(), () -> resources.get(ref));
  }
}
