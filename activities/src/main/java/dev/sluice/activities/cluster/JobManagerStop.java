package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.workflows.activity.ClusterActivities.NoteEndRequest;
import dev.sluice.workflows.activity.ClusterActivities.StopJobManagerRequest;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Scales the JobManager of a job that has ended to no replicas, notes which job that was, and
 * removes the TaskManagers that it leaves behind: they are its own pods, and nothing else ends
 * them. One instance for each attempt of the activity.
 */
final class JobManagerStop {

  private final ClusterRef cluster;
  private final EndNote note;
  private final KubernetesClient client;
  private final ClusterAccess access;
  private final PodsGone gone;

  JobManagerStop(
      StopJobManagerRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access) {
    this.cluster = request.job().cluster();
    this.note =
        new EndNote(
            new NoteEndRequest(
                request.resource(), request.job(), request.state(), request.leftState()),
            store,
            client,
            access);
    this.client = client;
    this.access = access;
    this.gone = new PodsGone(cluster, access, false, request.deadlineMs());
  }

  /** Scales the Deployment, if there is one. Blocks. */
  void begin() {
    note.writeAndScaleToNothing();
  }

  /** Whether no pod is left. */
  CompletableFuture<ProbeResult<Void>> look() {
    return isAbandoned(access.cache().pods(cluster))
        ? access.ask(this::removeTaskManagers)
        : gone.look(() -> ProbeResult.done(null));
  }

  /** Without a JobManager, and not on their way out yet. */
  private static boolean isAbandoned(List<Pod> pods) {
    return pods.stream().allMatch(ClusterSelector::isTaskManager)
        && pods.stream().anyMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null);
  }

  private ProbeResult<Void> removeTaskManagers() {
    List<Pod> pods = access.live().pods(cluster);
    if (isAbandoned(pods)) {
      Deletion deletion = new Deletion(client);
      pods.forEach(deletion::delete);
    }
    return ProbeResult.notYet("the TaskManagers are being removed");
  }
}
