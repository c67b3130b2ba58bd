package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.async.Throttle;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.workflows.cluster.AwaitJobManagerRequest;
import dev.sluice.workflows.operation.FailureType;
import dev.sluice.workflows.resource.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Waits until the JobManager of a new cluster answers. One instance for each attempt. */
final class JobManagerWait {

  /** A pod that is not ready hardly answers, and not through its Service: for odd probes only. */
  private static final Duration BEFORE_READY = Duration.ofSeconds(2);

  private final AwaitJobManagerRequest request;
  private final Endpoint endpoint;
  private final ClusterCache view;
  private final FlinkRest flink;
  private final Clock clock;
  private final ProblemDebouncer lasting;
  private final Throttle seldom;

  JobManagerWait(
      AwaitJobManagerRequest request,
      Endpoint endpoint,
      ClusterCache view,
      FlinkRest flink,
      Clock clock) {
    this.request = request;
    this.endpoint = endpoint;
    this.view = view;
    this.flink = flink;
    this.clock = clock;
    this.lasting = new ProblemDebouncer(clock);
    this.seldom = new Throttle(clock, BEFORE_READY);
  }

  CompletableFuture<ProbeResult<Void>> look() {
    ResourceRef ref = request.resource();
    Deployment deployment = view.deployment(RestEndpoint.cluster(ref)).orElse(null);
    List<Pod> pods = view.pods(RestEndpoint.cluster(ref));
    String progress = progress(deployment, pods);
    Optional<PodProblem> problem = lasting.in(PodProblems.of(pods, deployment));
    if (problem.isPresent()) {
      return failed(problem.get().message());
    }
    if (clock.millis() >= request.deadlineMs()) {
      return failed("the JobManager of " + ref.display() + " did not answer in time: " + progress);
    }
    if (!isWorthAsking(pods)) {
      return CompletableFuture.completedFuture(ProbeResult.notYet(progress));
    }
    return flink
        .overview(endpoint)
        .<ProbeResult<Void>>handle(
            (ClusterOverview answer, Throwable silent) ->
                silent == null ? ProbeResult.done(null) : ProbeResult.notYet(progress));
  }

  /** The startup probe asks each second already, and the informer tells what it finds. */
  private boolean isWorthAsking(List<Pod> pods) {
    List<Pod> up =
        pods.stream()
            .filter(pod -> !ClusterSelector.isTaskManager(pod) && PodCounts.isRunning(pod))
            .toList();
    return up.stream().anyMatch(PodCounts::isReady) || (!up.isEmpty() && seldom.isDue());
  }

  private String progress(@Nullable Deployment deployment, List<Pod> pods) {
    if (deployment == null) {
      return "the JobManager Deployment is not there";
    }
    return PodProblems.of(pods, deployment).stream()
        .map(PodProblem::message)
        .findFirst()
        .orElse("JobManager pods: " + PodCounts.jobManagers(pods));
  }

  private static CompletableFuture<ProbeResult<Void>> failed(String message) {
    return CompletableFuture.completedFuture(
        ProbeResult.failed(FailureType.CLUSTER_NOT_READY, message));
  }
}
