package dev.sluice.e2e.job;

import dev.sluice.e2e.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watches the pods of a job: a new JobManager must not appear while anything of the cluster before
 * it is left. Each time one appears, all pods are listed, at one moment of the API server's time.
 */
public final class OneJobWatch implements AutoCloseable {

  private final TestCluster cluster;
  private final Job job;
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> jobManagers = new CopyOnWriteArrayList<>();
  private final List<String> checked = new CopyOnWriteArrayList<>();
  private final SharedIndexInformer<Pod> informer;

  /** Begins to watch. */
  public OneJobWatch(TestCluster cluster, Job job) {
    this.cluster = cluster;
    this.job = job;
    this.informer =
        cluster
            .kubernetes()
            .pods()
            .inNamespace(job.namespace())
            .withLabel("app", job.name())
            .inform(new Handler());
  }

  /** Moments at which more than one cluster was there; none if all is well. */
  public List<String> problems() {
    return problems;
  }

  /** JobManager pods in the order in which they appeared. */
  public List<String> jobManagers() {
    return jobManagers;
  }

  /** Those that were seen with all other pods, so that {@link #problems()} would tell. */
  public List<String> checked() {
    return checked;
  }

  @Override
  public void close() {
    informer.close();
  }

  private void look(Pod added) {
    if (!isJobManager(added)) {
      return;
    }
    jobManagers.add(added.getMetadata().getName());
    try {
      Optional<String> before = deployment();
      List<Pod> pods = job.flink().pods();
      if (before.isPresent() && before.equals(deployment())) {
        check(pods, before.get());
        checked.add(added.getMetadata().getName());
      }
    } catch (KubernetesClientException away) {
      // the API server was killed at this moment: nothing can be told of it
    }
  }

  private void check(List<Pod> pods, String deployment) {
    List<String> names = pods.stream().map(it -> it.getMetadata().getName()).toList();
    if (pods.stream().filter(OneJobWatch::isJobManager).count() > 1) {
      problems.add("more than one JobManager: " + names);
    }
    if (pods.stream().anyMatch(it -> !isJobManager(it) && !isOfCluster(it, deployment))) {
      problems.add("TaskManagers of the cluster before: " + names);
    }
  }

  private Optional<String> deployment() {
    Deployment found =
        cluster
            .kubernetes()
            .apps()
            .deployments()
            .inNamespace(job.namespace())
            .withName(job.name())
            .get();
    return Optional.ofNullable(found).map(it -> it.getMetadata().getUid());
  }

  private static boolean isJobManager(Pod pod) {
    return "jobmanager".equals(pod.getMetadata().getLabels().get("component"));
  }

  /** In standalone mode by way of a ReplicaSet and the Deployment of the TaskManagers. */
  private boolean isOfCluster(HasMetadata part, String uid) {
    for (OwnerReference owner : part.getMetadata().getOwnerReferences()) {
      if (owner.getUid().equals(uid)) {
        return true;
      }
      var apps = cluster.kubernetes().apps();
      HasMetadata found =
          switch (owner.getKind()) {
            case "ReplicaSet" ->
                apps.replicaSets().inNamespace(job.namespace()).withName(owner.getName()).get();
            case "Deployment" ->
                apps.deployments().inNamespace(job.namespace()).withName(owner.getName()).get();
            default -> null;
          };
      if (found != null
          && found.getMetadata().getUid().equals(owner.getUid())
          && isOfCluster(found, uid)) {
        return true;
      }
    }
    return false;
  }

  private final class Handler implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      look(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod after) {
      // only what appears matters
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      // only what appears matters
    }
  }
}
