package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.workflows.activity.ClusterActivities.AwaitJobManagerRequest;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the JobManager of a new cluster answers, and where the cluster runs no job of its own
 * until a TaskManager that Kubernetes makes has registered. More are not waited for: while they are
 * too many for the cluster's nodes, their number could not be changed. One instance for each
 * attempt.
 */
final class JobManagerWait {

  private final AwaitJobManagerRequest request;
  private final RunningCluster target;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final ConfirmedProblem problem;

  JobManagerWait(
      AwaitJobManagerRequest request,
      RunningCluster target,
      ClusterAccess access,
      FlinkRest flink) {
    this.request = request;
    this.target = target;
    this.access = access;
    this.flink = flink;
    this.problem = new ConfirmedProblem(request.job().cluster(), access);
  }

  ProbeResult<Void> look() {
    ClusterCache cache = access.cache();
    List<Pod> pods = cache.pods(cluster());
    if (!cache.synced() || !isOurs(cache.deployment(cluster()).orElse(null))) {
      checkDeployment();
      return ProbeResult.notYet(progress(List.of(), pods));
    }
    List<PodProblem> problems = PodProblems.of(pods, cache.deployments(cluster()));
    return problem
        .among(problems)
        .map(it -> ProbeResult.<Void>failed(it.failureType(), it.message()))
        .orElseGet(() -> ask(pods, problems));
  }

  private ProbeResult<Void> ask(List<Pod> pods, List<PodProblem> problems) {
    boolean anyRuns =
        pods.stream().anyMatch(it -> !ClusterSelector.isTaskManager(it) && PodCounts.isRunning(it));
    if (!anyRuns) {
      return ProbeResult.notYet(progress(problems, pods));
    }
    try {
      return answered(flink.overview(target.endpoint()), problems);
    } catch (FlinkRestException silent) {
      return ProbeResult.notYet(progress(problems, pods));
    }
  }

  /** A job of its own would wait for its TaskManagers itself; natively its jobs start them. */
  private ProbeResult<Void> answered(ClusterOverview answer, List<PodProblem> problems) {
    boolean needsOne =
        target.session()
            && access
                .cache()
                .deployment(cluster())
                .filter(ClusterSelector::isStandalone)
                .isPresent();
    return !needsOne || answer.taskManagers() > 0
        ? ProbeResult.done(null)
        : ProbeResult.notYet(
            problems.stream().findFirst().map(it -> it.message() + "; ").orElse("")
                + "no TaskManager is registered");
  }

  private boolean isOurs(@Nullable Deployment deployment) {
    return deployment != null && request.job().jobId().equals(ClusterAnnotations.jobId(deployment));
  }

  /** The cache may be behind, so the API server decides. Blocks. */
  private void checkDeployment() {
    Deployment deployment =
        access
            .live()
            .deployment(cluster())
            .orElseThrow(
                () ->
                    Outdated.failure(
                        "the JobManager Deployment " + cluster().display() + " is missing"));
    Outdated.check(deployment, Set.of(request.job().jobId()), null);
  }

  private static String progress(List<PodProblem> problems, List<Pod> pods) {
    return problems.stream()
        .map(PodProblem::message)
        .findFirst()
        .orElse("JobManager pods: " + PodCounts.jobManagers(pods));
  }

  private ClusterRef cluster() {
    return request.job().cluster();
  }
}
