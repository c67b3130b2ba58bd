package dev.sluice.activities.application;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterView;
import dev.sluice.activities.cluster.ConfirmedProblem;
import dev.sluice.activities.cluster.Ownership;
import dev.sluice.activities.cluster.PodCounts;
import dev.sluice.activities.cluster.PodProblem;
import dev.sluice.activities.cluster.PodProblems;
import dev.sluice.activities.flink.ClusterOverview;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionReady;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Waits until the cluster of a version has its JobManager, its TaskManagers and the slots that its
 * job needs. One instance for each attempt.
 */
final class VersionWait {

  private final VersionTarget target;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final long deadlineMs;
  private final ConfirmedProblem confirmed;
  private final Instant begun;
  private String lacking = "nothing is known of it yet";

  VersionWait(VersionTarget target, ClusterAccess access, FlinkRest flink, long deadlineMs) {
    this.target = target;
    this.access = access;
    this.flink = flink;
    this.deadlineMs = deadlineMs;
    this.confirmed = new ConfirmedProblem(cluster(), access);
    this.begun = access.clock().instant();
  }

  ProbeResult<VersionReady> look() {
    boolean late = access.clock().millis() >= deadlineMs;
    if (late || !access.cache().synced() || missing(access.cache()).isPresent()) {
      ProbeResult<VersionReady> seen = standing();
      return seen instanceof ProbeResult.NotYet<VersionReady> ? found(late) : seen;
    }
    return found(late);
  }

  /** What memory says is old news possibly, so the API server decides. Blocks. */
  private ProbeResult<VersionReady> standing() {
    return missing(access.live())
        .<ProbeResult<VersionReady>>map(why -> ProbeResult.done(new VersionReady.Missing(why)))
        .orElseGet(() -> ProbeResult.notYet(lacking));
  }

  private ProbeResult<VersionReady> found(boolean late) {
    List<Pod> pods = access.cache().pods(cluster());
    List<PodProblem> problems = PodProblems.of(pods, access.cache().deployments(cluster()));
    ProbeResult<VersionReady> result =
        confirmed.among(problems).map(VersionWait::notReady).orElseGet(() -> ask(pods, problems));
    return late ? ended(result) : result;
  }

  private static ProbeResult<VersionReady> notReady(PodProblem problem) {
    return ProbeResult.done(new VersionReady.NotReady(problem.failureType(), problem.message()));
  }

  private ProbeResult<VersionReady> ended(ProbeResult<VersionReady> result) {
    return result instanceof ProbeResult.NotYet<VersionReady> left
        ? ProbeResult.done(
            new VersionReady.NotReady(
                FailureType.CLUSTER_NOT_READY,
                "cluster %s was not ready in time: %s"
                    .formatted(cluster().display(), left.progress())))
        : result;
  }

  private ProbeResult<VersionReady> ask(List<Pod> pods, List<PodProblem> problems) {
    String problem = problems.stream().map(PodProblem::message).findFirst().orElse(null);
    Optional<String> unavailable = unavailable(pods);
    if (unavailable.isPresent()) {
      lacking = problem == null ? unavailable.get() : problem;
      return ProbeResult.notYet(lacking);
    }
    Endpoint endpoint =
        VersionClusters.endpoint(target.application(), target.version(), target.spec().uiPort());
    try {
      return answered(flink.overview(endpoint), problem);
    } catch (FlinkRestException silent) {
      return ProbeResult.notYet(problem == null ? "the JobManager does not answer" : problem);
    }
  }

  /** Kubernetes asks the JobManager itself whether it is ready, at the port of its Service. */
  private Optional<String> unavailable(List<Pod> pods) {
    if (available(access.cache().deployment(cluster())) < 1) {
      return Optional.of("JobManager pods: " + PodCounts.jobManagers(pods));
    }
    Optional<Deployment> taskManagers = access.cache().taskManagers(cluster());
    return available(taskManagers) < wanted(taskManagers)
        ? Optional.of("TaskManager pods: " + PodCounts.taskManagers(pods))
        : Optional.empty();
  }

  private ProbeResult<VersionReady> answered(ClusterOverview answer, @Nullable String problem) {
    int slots = Objects.requireNonNullElse(target.spec().parallelism(), 1);
    if (answer.slotsTotal() >= slots) {
      return ProbeResult.done(
          new VersionReady.Ready(
              "%d TaskManagers, %d slots, in %d s"
                  .formatted(
                      answer.taskManagers(),
                      answer.slotsTotal(),
                      Duration.between(begun, access.clock().instant()).toSeconds())));
    }
    lacking =
        (problem == null ? "" : problem + "; ")
            + "%d of %d slots are there, of %d TaskManagers"
                .formatted(answer.slotsTotal(), slots, answer.taskManagers());
    return ProbeResult.notYet(lacking);
  }

  /** Why the cluster is not that of the version; empty when it is. */
  private Optional<String> missing(ClusterView view) {
    return missing("JobManager", view.deployment(cluster()))
        .or(() -> missing("TaskManager", view.taskManagers(cluster())));
  }

  private Optional<String> missing(String what, Optional<Deployment> found) {
    if (found.isEmpty()) {
      return Optional.of("the %s Deployment of %s is missing".formatted(what, cluster().display()));
    }
    Deployment deployment = found.get();
    if (!Ownership.isRunning(deployment, target.application())) {
      return Optional.of(
          "Deployment %s is being deleted, or is not the application's"
              .formatted(deployment.getMetadata().getName()));
    }
    return VersionObjects.isOf(deployment, target.version())
        ? Optional.empty()
        : Optional.of(
            "Deployment %s is of another version".formatted(deployment.getMetadata().getName()));
  }

  private static int available(Optional<Deployment> deployment) {
    return deployment
        .map(Deployment::getStatus)
        .map(status -> Objects.requireNonNullElse(status.getAvailableReplicas(), 0))
        .orElse(0);
  }

  private static int wanted(Optional<Deployment> deployment) {
    return deployment
        .map(it -> Objects.requireNonNullElse(it.getSpec().getReplicas(), 1))
        .orElse(1);
  }

  private ClusterRef cluster() {
    return target.cluster();
  }
}
