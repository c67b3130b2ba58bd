package dev.sluice.activities.application;

import dev.sluice.activities.cluster.ClusterMembership;
import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells to which version's cluster something belongs, by the labels and annotations of Lyft's
 * operator. The hash is that of the pods, which is the one in the name of the cluster: in place, a
 * Deployment is labelled with the hash of a later version.
 */
public final class VersionMembership implements ClusterMembership {

  @Override
  public String selector() {
    return ApplicationLabels.FLINK_APP + "," + Labels.FLINK_DEPLOYMENT_TYPE;
  }

  @Override
  public String cluster(HasMetadata object) {
    ObjectMeta pod =
        object instanceof Deployment deployment
            ? deployment.getSpec().getTemplate().getMetadata()
            : object.getMetadata();
    String application = value(object.getMetadata().getLabels(), ApplicationLabels.FLINK_APP);
    String hash =
        pod == null ? null : value(pod.getAnnotations(), ApplicationLabels.FLINK_APP_HASH);
    return application == null || hash == null
        ? ""
        : object.getMetadata().getNamespace() + "/" + application + "-" + hash;
  }

  @Override
  public boolean isJobManagers(Deployment deployment, ClusterRef cluster) {
    return is(Labels.COMPONENT_JOB_MANAGER, deployment, cluster);
  }

  @Override
  public boolean isTaskManagers(Deployment deployment, ClusterRef cluster) {
    return is(Labels.COMPONENT_TASK_MANAGER, deployment, cluster);
  }

  private boolean is(String type, Deployment deployment, ClusterRef cluster) {
    return cluster(deployment).equals(cluster.display())
        && type.equals(value(deployment.getMetadata().getLabels(), Labels.FLINK_DEPLOYMENT_TYPE));
  }

  @Override
  public boolean isPod(Pod pod) {
    return !pod.getMetadata().getOwnerReferences().isEmpty();
  }

  private static @Nullable String value(@Nullable Map<String, String> map, String key) {
    return map == null ? null : map.get(key);
  }
}
