package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.activities.manifest.common.ListMerge;
import dev.sluice.activities.manifest.common.MountedVolume;
import dev.sluice.activities.manifest.common.ProcessMemory;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.ClusterSize;
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
import java.util.regex.Pattern;

/**
 * The container that a Flink process runs in: what the user's template says of it, and over it what
 * Flink's client adds ({@code InitJobManagerDecorator}, {@code CmdJobManagerDecorator}, {@code
 * EnvSecretsDecorator}), in standalone mode what Apache's operator adds.
 */
final class FlinkContainer {
  /** {@code [host[:port]/]path[:tag][@digest]}, as container runtimes read it. */
  private static final Pattern IMAGE =
      Pattern.compile(
          "(([a-zA-Z0-9.-]+|\\[[0-9a-fA-F:]+])(:[0-9]+)?/)?[a-z0-9._-]+(/[a-z0-9._-]+)*+"
              + "(:\\w[\\w.-]{0,127})?(@\\w[\\w+.-]*:[0-9a-fA-F]{32,})?");

  private final Role role;
  private final ClusterTarget target;
  private final FlinkConfiguration configuration;
  private final FlinkPorts ports;

  FlinkContainer(Role role, ClusterTarget target, FlinkConfiguration configuration) {
    this.role = role;
    this.target = target;
    this.configuration = configuration;
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
            .withArgs(arguments())
            .withVolumeMounts(
                ListMerge.over(
                    template.getVolumeMounts(),
                    volumes.stream().map(MountedVolume::mount).toList(),
                    VolumeMount::getMountPath))
            .build();
    startupProbe(template).ifPresent(container::setStartupProbe);
    return container;
  }

  /** Whether a pod can have it: Kubernetes takes any text, and the pod waits for ever then. */
  static boolean isImage(String image) {
    return IMAGE.matcher(image).matches();
  }

  private String image(Container template) {
    String image =
        configuration
            .get("kubernetes.container.image.ref")
            .or(() -> configuration.get("kubernetes.container.image"))
            .or(() -> Optional.ofNullable(template.getImage()))
            .orElseGet(() -> "flink:" + target.flinkVersion().dotted());
    if (!isImage(image)) {
      throw new IllegalArgumentException(
          "spec.image: the image of Flink must be one such as flink:1.20 or"
              + " registry.example.com/team/job:1.0, but is '%s'".formatted(image));
    }
    return image;
  }

  private String pullPolicy(Container template) {
    return configuration
        .get("kubernetes.container.image.pull-policy")
        .or(() -> Optional.ofNullable(template.getImagePullPolicy()))
        .orElse("IfNotPresent");
  }

  private ResourceRequirements resources(Container template) {
    double cpu = cpu();
    long mebibytes =
        switch (role) {
          case JOB_MANAGER -> ProcessMemory.ofJobManager(configuration);
          case TASK_MANAGER -> ProcessMemory.ofTaskManager(configuration);
        };
    double cpuFactor = configuration.number(role.option("cpu.limit-factor"), 1);
    double memoryFactor = configuration.number(role.option("memory.limit-factor"), 1);
    return new ResourceRequirementsBuilder(
            Optional.ofNullable(template.getResources()).orElseGet(ResourceRequirements::new))
        .addToRequests("cpu", new Quantity(Double.toString(cpu)))
        .addToRequests("memory", new Quantity(mebibytes + "Mi"))
        .addToLimits("cpu", new Quantity(Double.toString(cpu * cpuFactor)))
        .addToLimits("memory", new Quantity((long) (mebibytes * memoryFactor) + "Mi"))
        .build();
  }

  /** For TaskManagers as in Flink's {@code KubernetesWorkerResourceSpecFactory}. */
  private double cpu() {
    String key = ResourceConfiguration.cpuKey(role.word(), target.flinkVersion());
    if (role == Role.JOB_MANAGER) {
      return configuration.number(key, 1);
    }
    double asked = configuration.number(key, 0);
    int slots = ClusterSize.of(target.spec()).slots();
    return configuration.number("taskmanager.cpu.cores", asked > 0 ? asked : slots);
  }

  private List<ContainerPort> containerPorts() {
    if (isAnyPort()) {
      return List.of();
    }
    return switch (role) {
      case JOB_MANAGER ->
          List.of(
              port("rest", ports.rest()),
              port("jobmanager-rpc", ports.rpc()),
              port("blobserver", ports.blob()));
      case TASK_MANAGER -> List.of(port("taskmanager-rpc", ports.taskManagerRpc()));
    };
  }

  private static ContainerPort port(String name, int number) {
    return new ContainerPortBuilder().withName(name).withContainerPort(number).build();
  }

  private List<EnvVar> environment() {
    List<EnvVar> environment = new ArrayList<>();
    configuration
        .prefixed(role.environment())
        .forEach((name, value) -> environment.add(new EnvVar(name, value, null)));
    if (role == Role.JOB_MANAGER) {
      environment.add(
          new EnvVarBuilder()
              .withName(EntryPoint.POD_ADDRESS)
              .withNewValueFrom()
              .withNewFieldRef("v1", "status.podIP")
              .endValueFrom()
              .build());
    }
    configuration
        .get("kubernetes.flink.log.dir")
        .ifPresent(dir -> environment.add(new EnvVar("FLINK_LOG_DIR", dir, null)));
    configuration
        .maps("kubernetes.env.secretKeyRef")
        .forEach(ref -> environment.add(fromSecret(ref)));
    configuration
        .get(FlinkPod.HADOOP_CONFIG_MAP)
        .ifPresent(
            configMap -> environment.add(new EnvVar("HADOOP_CONF_DIR", FlinkPod.HADOOP_DIR, null)));
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

  private List<String> arguments() {
    return switch (role) {
      case JOB_MANAGER -> EntryPoint.ofJobManager(target, configuration);
      case TASK_MANAGER -> List.of("taskmanager");
    };
  }

  /**
   * Makes the Deployment available only once the REST API answers, however long that takes. With
   * mutual TLS the kubelet cannot ask, so an open port must do. A TaskManager has none.
   */
  private Optional<Probe> startupProbe(Container template) {
    boolean wanted =
        target
            .spec()
            .configuration()
            .bool("kubernetes.operator.jm-deployment.startup.probe.enabled")
            .orElse(true);
    if (role == Role.TASK_MANAGER || !wanted || isAnyPort() || template.getStartupProbe() != null) {
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

  /** On the host's network Flink's native entry point takes any port that is free. */
  private boolean isAnyPort() {
    return !target.isStandalone() && configuration.bool(FlinkPod.HOST_NETWORK).orElse(false);
  }
}
