package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.Standing;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scales the JobManager of a job that has ended to no replicas, notes which job that was, and
 * removes the TaskManagers that it leaves behind: they are its own pods, and nothing else ends
 * them. One instance for each attempt of the activity.
 */
final class JobManagerStop {

  private final StopJobManagerRequest request;
  private final ResourceStore store;
  private final EndNote note;
  private final KubernetesClient client;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final PodsGone gone;
  private @Nullable Endpoint unasked;

  JobManagerStop(
      StopJobManagerRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access,
      FlinkRest flink) {
    this.request = request;
    this.store = store;
    this.note =
        new EndNote(
            new NoteEndRequest(
                request.resource(), request.job(), request.state(), request.leftState()),
            store,
            client,
            access);
    this.client = client;
    this.access = access;
    this.flink = flink;
    this.gone = new PodsGone(cluster(), access, false);
  }

  /** Scales the Deployment, if there is one and Flink need not be asked first. Blocks. */
  void begin() {
    Standing plannedFor = request.plannedFor();
    if (plannedFor == null) {
      note.writeAndScaleToNothing();
      note.scaleTaskManagersToNothing();
      return;
    }
    ResourceRef owner = request.resource();
    // a run that was reset may have planned it for an operation of long ago
    if (!plannedFor.equals(store.read(owner).observed().standing())) {
      throw Outdated.failure("the status of " + owner.display() + " was written since");
    }
    if (note.isToBeScaledToNothing()) {
      unasked = store.running(owner).endpoint();
    } else {
      note.scaleTaskManagersToNothing();
    }
  }

  /** Whether no pod is left. */
  ProbeResult<Void> look() {
    Endpoint first = unasked;
    return first == null ? lookForPods() : scaleIfEnded(first);
  }

  /** A job that runs again by now, or of which nothing is known, is not stopped. */
  private ProbeResult<Void> scaleIfEnded(Endpoint endpoint) {
    if (!hasEnded(endpoint)) {
      return ProbeResult.failed(
          FailureType.OUTDATED,
          "Flink does not say that job %s is %s".formatted(request.job().jobId(), request.state()));
    }
    note.writeAndScaleToNothing();
    note.scaleTaskManagersToNothing();
    unasked = null;
    return ProbeResult.notYet("the JobManager is being stopped");
  }

  private boolean hasEnded(Endpoint endpoint) {
    try {
      return flink
          .jobsOverview(endpoint)
          .job(request.job().jobId())
          .filter(it -> it.state() == request.state())
          .isPresent();
    } catch (FlinkRestException silent) {
      return false;
    }
  }

  private ProbeResult<Void> lookForPods() {
    return isAbandoned(access.cache().pods(cluster()))
        ? removeTaskManagers()
        : gone.look(() -> ProbeResult.done(null));
  }

  /** Without a JobManager, and not on their way out yet. */
  private static boolean isAbandoned(List<Pod> pods) {
    return pods.stream().allMatch(ClusterSelector::isTaskManager)
        && pods.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null);
  }

  private ProbeResult<Void> removeTaskManagers() {
    List<Pod> pods = access.live().pods(cluster());
    if (isAbandoned(pods)) {
      Deletion deletion = new Deletion(client);
      pods.forEach(deletion::delete);
    }
    return ProbeResult.notYet("the TaskManagers are being removed");
  }

  private ClusterRef cluster() {
    return request.job().cluster();
  }
}
