package dev.sluice.activities.manifest.nativemode;

import static java.util.Map.entry;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.activities.manifest.common.JobManagerMemory;
import dev.sluice.activities.manifest.common.ListMerge;
import dev.sluice.activities.manifest.common.MountedVolume;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The container the JobManager runs in: what the user's template says of it, and over it what
 * Flink's client adds ({@code InitJobManagerDecorator}, {@code CmdJobManagerDecorator}, {@code
 * EnvSecretsDecorator}).
 */
final class JobManagerContainer {
  private final ClusterTarget target;
  private final FlinkConfiguration configuration;
  private final KubernetesOptions options;
  private final FlinkPorts ports;

  JobManagerContainer(ClusterTarget target, FlinkConfiguration configuration) {
    this.target = target;
    this.configuration = configuration;
    this.options = new KubernetesOptions(configuration);
    this.ports = FlinkPorts.of(configuration);
  }

  /** The decorated container with those mounts. */
  Container over(Container template, List<MountedVolume> volumes) {
    Container container =
        new ContainerBuilder(template)
            .withName(PodTemplates.MAIN_CONTAINER)
            .withImage(image(template))
            .withImagePullPolicy(pullPolicy(template))
            .withResources(resources(template))
            .withPorts(
                ListMerge.over(
                    template.getPorts(), containerPorts(), ContainerPort::getContainerPort))
            .withEnv(ListMerge.over(template.getEnv(), environment(), EnvVar::getName))
            .withCommand(
                configuration.getOrDefault("kubernetes.entry.path", "/docker-entrypoint.sh"))
            .withArgs("bash", "-c", command())
            .withVolumeMounts(
                ListMerge.over(
                    template.getVolumeMounts(),
                    volumes.stream().map(MountedVolume::mount).toList(),
                    VolumeMount::getMountPath))
            .build();
    startupProbe(template).ifPresent(container::setStartupProbe);
    return container;
  }

  private String image(Container template) {
    return configuration
        .get("kubernetes.container.image.ref")
        .or(() -> configuration.get("kubernetes.container.image"))
        .or(() -> Optional.ofNullable(template.getImage()))
        .orElseGet(() -> "flink:" + target.flinkVersion().dotted());
  }

  private String pullPolicy(Container template) {
    return configuration
        .get("kubernetes.container.image.pull-policy")
        .or(() -> Optional.ofNullable(template.getImagePullPolicy()))
        .orElse("IfNotPresent");
  }

  private ResourceRequirements resources(Container template) {
    double cpu =
        options.number(ResourceConfiguration.cpuKey("jobmanager", target.flinkVersion()), 1);
    long mebibytes = JobManagerMemory.mebibytes(configuration);
    double cpuFactor = options.number("kubernetes.jobmanager.cpu.limit-factor", 1);
    double memoryFactor = options.number("kubernetes.jobmanager.memory.limit-factor", 1);
    return new ResourceRequirementsBuilder(
            Optional.ofNullable(template.getResources()).orElseGet(ResourceRequirements::new))
        .addToRequests("cpu", new Quantity(Double.toString(cpu)))
        .addToRequests("memory", new Quantity(mebibytes + "Mi"))
        .addToLimits("cpu", new Quantity(Double.toString(cpu * cpuFactor)))
        .addToLimits("memory", new Quantity((long) (mebibytes * memoryFactor) + "Mi"))
        .build();
  }

  private List<ContainerPort> containerPorts() {
    if (isHostNetwork()) {
      return List.of();
    }
    return Stream.of(
            entry("rest", ports.rest()),
            entry("jobmanager-rpc", ports.rpc()),
            entry("blobserver", ports.blob()))
        .map(
            port ->
                new ContainerPortBuilder()
                    .withName(port.getKey())
                    .withContainerPort(port.getValue())
                    .build())
        .toList();
  }

  private List<EnvVar> environment() {
    List<EnvVar> environment = new ArrayList<>();
    options
        .prefixed("containerized.master.env.")
        .forEach((name, value) -> environment.add(new EnvVar(name, value, null)));
    environment.add(
        new EnvVarBuilder()
            .withName("_POD_IP_ADDRESS")
            .withNewValueFrom()
            .withNewFieldRef("v1", "status.podIP")
            .endValueFrom()
            .build());
    configuration
        .get("kubernetes.flink.log.dir")
        .ifPresent(dir -> environment.add(new EnvVar("FLINK_LOG_DIR", dir, null)));
    options.maps("kubernetes.env.secretKeyRef").forEach(ref -> environment.add(fromSecret(ref)));
    configuration
        .get(JobManagerPod.HADOOP_CONFIG_MAP)
        .ifPresent(
            configMap ->
                environment.add(new EnvVar("HADOOP_CONF_DIR", JobManagerPod.HADOOP_DIR, null)));
    return environment;
  }

  private static EnvVar fromSecret(Map<String, String> reference) {
    return new EnvVarBuilder()
        .withName(reference.get("env"))
        .withNewValueFrom()
        .withNewSecretKeyRef(reference.get("key"), reference.get("secret"), null)
        .endValueFrom()
        .build();
  }

  private String command() {
    return "kubernetes-jobmanager.sh kubernetes-application "
        + configuration.getOrDefault("kubernetes.jobmanager.entrypoint.args", "");
  }

  /**
   * Makes the Deployment available only once the REST API answers, however long that takes. With
   * mutual TLS the kubelet cannot ask, so an open port must do; on the host's network the port is
   * any.
   */
  private Optional<Probe> startupProbe(Container template) {
    boolean wanted =
        target
            .spec()
            .configuration()
            .bool("kubernetes.operator.jm-deployment.startup.probe.enabled")
            .orElse(true);
    if (!wanted || isHostNetwork() || template.getStartupProbe() != null) {
      return Optional.empty();
    }
    ProbeBuilder probe =
        new ProbeBuilder().withPeriodSeconds(1).withFailureThreshold(Integer.MAX_VALUE);
    if (configuration.bool("security.ssl.rest.authentication-enabled").orElse(false)) {
      return Optional.of(
          probe.withNewTcpSocket().withNewPort(ports.restBind()).endTcpSocket().build());
    }
    boolean tls = configuration.bool("security.ssl.rest.enabled").orElse(false);
    return Optional.of(
        probe
            .withNewHttpGet()
            .withPath("/config")
            .withNewPort(ports.restBind())
            .withScheme(tls ? "HTTPS" : null)
            .endHttpGet()
            .build());
  }

  private boolean isHostNetwork() {
    return configuration.bool(JobManagerPod.HOST_NETWORK).orElse(false);
  }
}
