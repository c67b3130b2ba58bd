package dev.sluice.activities.manifest.application;

import dev.sluice.api.Labels;
import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.FlinkApplicationSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Renders the objects of a version as the operator of Lyft makes them. The same version gives the
 * same objects. Pure.
 */
public final class VersionRenderer {

  private static final String JOB_CLUSTER = "{{$jobCluster}}";

  private final ApplicationOptions options;
  private final KubernetesSerialization serialization = new KubernetesSerialization();

  public VersionRenderer(ApplicationOptions options) {
    this.options = options;
  }

  /**
   * The objects, ready for a server-side apply.
   *
   * @throws IllegalArgumentException naming the field of the spec, when it cannot be rendered
   */
  public VersionManifests render(VersionTarget target) {
    return render(target, jobManagerSelector(target));
  }

  /**
   * @param selector of the JobManager's pods, where they are not selected as those of a new version
   */
  public VersionManifests render(VersionTarget target, String selector) {
    VersionLabels metadata = new VersionLabels(target);
    VersionPods pods = new VersionPods(target, options, serialization);
    Deployment jobManager =
        deployment(
            metadata,
            VersionNames.jobManager(target.version()),
            Labels.COMPONENT_JOB_MANAGER,
            selector);
    jobManager.getSpec().setReplicas(target.spec().jobManagerConfig().replicas());
    jobManager.getSpec().getTemplate().setSpec(pods.jobManager());
    String name = VersionNames.taskManagers(target.version());
    Deployment taskManagers =
        deployment(
            metadata,
            name,
            Labels.COMPONENT_TASK_MANAGER,
            VersionNames.podSelector(target.application().uid(), name));
    taskManagers.getSpec().setReplicas(taskManagers(target.spec()));
    taskManagers.getSpec().getTemplate().setSpec(pods.taskManager());
    return new VersionManifests(
        versionedService(target, selector),
        service(metadata, metadata.generic(), target.spec(), selector),
        ingress(metadata, target),
        jobManager,
        taskManagers);
  }

  /** How the pods of the JobManager of a new version are selected. */
  public static String jobManagerSelector(VersionTarget target) {
    return VersionNames.podSelector(
        target.application().uid(), VersionNames.jobManager(target.version()));
  }

  /** So many as have the slots that the job needs. */
  public static int taskManagers(FlinkApplicationSpec spec) {
    int parallelism = spec.parallelism() == null ? 1 : spec.parallelism();
    int slots = spec.taskManagerConfig().taskSlots();
    return Math.max(1, (parallelism + slots - 1) / slots);
  }

  /** What a Deployment says of its job, in words. */
  public static String jobProperties(FlinkApplicationSpec spec) {
    return VersionLabels.jobProperties(spec);
  }

  /**
   * The Service of the version. It has the address of the JobManager from its start, so that the
   * TaskManagers need not wait until that is ready.
   */
  public static Service versionedService(VersionTarget target, String selector) {
    VersionLabels metadata = new VersionLabels(target);
    return service(metadata, metadata.versionedService(), target.spec(), selector)
        .edit()
        .editSpec()
        .withPublishNotReadyAddresses(true)
        .endSpec()
        .build();
  }

  /** The same under another name, for a later version on the same cluster. */
  public static Service copyOfService(VersionTarget target, String selector) {
    return versionedService(target, selector)
        .edit()
        .editMetadata()
        .withName(VersionNames.cluster(target.application().name(), target.version().hash()))
        .addToAnnotations(ApplicationLabels.CLUSTER, target.version().cluster())
        .endMetadata()
        .build();
  }

  private static Service service(
      VersionLabels metadata, ObjectMeta of, FlinkApplicationSpec spec, String selector) {
    return new ServiceBuilder()
        .withMetadata(of)
        .withNewSpec()
        .withClusterIP("None")
        .withPorts(ports(spec))
        .withSelector(metadata.selector(Labels.COMPONENT_JOB_MANAGER, selector))
        .endSpec()
        .build();
  }

  private static List<ServicePort> ports(FlinkApplicationSpec spec) {
    return VersionPods.portNumbers(spec, true).entrySet().stream()
        .map(
            port ->
                new ServicePortBuilder().withName(port.getKey()).withPort(port.getValue()).build())
        .toList();
  }

  private static Deployment deployment(
      VersionLabels metadata, String name, String type, String selector) {
    return new DeploymentBuilder()
        .withMetadata(metadata.deployment(name, type))
        .withNewSpec()
        .withNewStrategy()
        .withType("Recreate")
        .endStrategy()
        .withNewSelector()
        .withMatchLabels(metadata.selector(type, selector))
        .endSelector()
        .withNewTemplate()
        .withMetadata(metadata.pod(name + "-pod", type, selector))
        .endTemplate()
        .endSpec()
        .build();
  }

  private @Nullable Ingress ingress(VersionLabels metadata, VersionTarget target) {
    String format = options.ingressUrlFormat();
    if (format == null) {
      return null;
    }
    ObjectMeta of = metadata.generic();
    return new IngressBuilder()
        .withMetadata(of)
        .withNewSpec()
        .addNewRule()
        .withHost(format.replace(JOB_CLUSTER, of.getName()))
        .withNewHttp()
        .addNewPath()
        .withPathType("ImplementationSpecific")
        .withNewBackend()
        .withNewService()
        .withName(of.getName())
        .withNewPort()
        .withNumber(target.spec().uiPort())
        .endPort()
        .endService()
        .endBackend()
        .endPath()
        .endHttp()
        .endRule()
        .endSpec()
        .build();
  }
}
