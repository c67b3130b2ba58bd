package dev.sluice.activities.manifest.application;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Labels;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.EnvironmentConfig;
import dev.sluice.api.application.FlinkApplicationSpec;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The pods of a version, whose images have the entry point that Lyft's operator expects. Pure. */
final class VersionPods {

  private final VersionTarget target;
  private final ApplicationOptions options;
  private final KubernetesSerialization serialization;

  VersionPods(
      VersionTarget target, ApplicationOptions options, KubernetesSerialization serialization) {
    this.target = target;
    this.options = options;
    this.serialization = serialization;
  }

  /** The JobManager. */
  PodSpec jobManager() {
    var config = target.spec().jobManagerConfig();
    Container container =
        container(Labels.COMPONENT_JOB_MANAGER, config.resources(), config.envConfig())
            .edit()
            .withPorts(ports(true))
            .withNewReadinessProbe()
            .withNewHttpGet()
            .withPath("/overview")
            .withNewPort(target.spec().uiPort())
            .endHttpGet()
            .withInitialDelaySeconds(10)
            .withPeriodSeconds(5)
            .withTimeoutSeconds(1)
            .withSuccessThreshold(1)
            .withFailureThreshold(2)
            .endReadinessProbe()
            .build();
    return pod(container, "spec.jobManagerConfig.affinity", config.affinity())
        .edit()
        .withNodeSelector(config.nodeSelector())
        .withTolerations(config.tolerations())
        .build();
  }

  /** A TaskManager. */
  PodSpec taskManager() {
    var config = target.spec().taskManagerConfig();
    Container container =
        container(Labels.COMPONENT_TASK_MANAGER, config.resources(), config.envConfig())
            .edit()
            .withPorts(ports(false))
            .build();
    return pod(container, "spec.taskManagerConfig.affinity", config.affinity())
        .edit()
        .withNodeSelector(config.nodeSelector())
        .withTolerations(config.tolerations())
        .build();
  }

  /** By name, in the order in which they are listed. */
  static Map<String, Integer> portNumbers(FlinkApplicationSpec spec, boolean ui) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("rpc", spec.rpcPort());
    ports.put("blob", spec.blobPort());
    ports.put("query", spec.queryPort());
    if (ui) {
      ports.put("ui", spec.uiPort());
    }
    ports.put("metrics", spec.metricsQueryPort());
    return ports;
  }

  private List<ContainerPort> ports(boolean ui) {
    return portNumbers(target.spec(), ui).entrySet().stream()
        .map(
            port ->
                new ContainerPortBuilder()
                    .withName(port.getKey())
                    .withContainerPort(port.getValue())
                    .build())
        .toList();
  }

  private PodSpec pod(Container container, String field, @Nullable JsonNode affinity) {
    FlinkApplicationSpec spec = target.spec();
    return new PodSpecBuilder()
        .withContainers(container)
        .withVolumes(
            IntStream.range(0, spec.volumes().size())
                .mapToObj(
                    i -> typed("spec.volumes[" + i + "]", spec.volumes().get(i), Volume.class))
                .toList())
        .withImagePullSecrets(spec.imagePullSecrets())
        .withServiceAccountName(spec.serviceAccountName())
        .withSecurityContext(spec.securityContext())
        .withAffinity(affinity == null ? null : typed(field, affinity, Affinity.class))
        .withSchedulerName(options.schedulerName())
        .build();
  }

  private Container container(
      String type, ResourceRequirements resources, EnvironmentConfig environment) {
    FlinkApplicationSpec spec = target.spec();
    return new ContainerBuilder()
        .withName(containerName(type))
        .withImage(spec.image())
        .withImagePullPolicy(spec.imagePullPolicy())
        .withArgs(type)
        .withResources(resources)
        .withEnv(environment(type, environment))
        .withEnvFrom(environment.envFrom())
        .withVolumeMounts(spec.volumeMounts())
        .build();
  }

  private String containerName(String type) {
    String format = options.containerNameFormat();
    return format == null ? type : format.replace("%s", type);
  }

  /** Of two variables of one name the later one counts, as it does for a container. */
  private List<EnvVar> environment(String type, EnvironmentConfig environment) {
    List<EnvVar> all = new ArrayList<>(own(type));
    all.addAll(environment.env());
    Map<String, EnvVar> last = new TreeMap<>();
    all.forEach(variable -> last.put(String.valueOf(variable.getName()), variable));
    return all.stream()
        .filter(variable -> last.get(String.valueOf(variable.getName())) == variable)
        .toList();
  }

  private List<EnvVar> own(String type) {
    String properties = FlinkProperties.of(target.spec(), target.cluster(), type);
    List<EnvVar> own = new ArrayList<>();
    own.add(variable("AWS_METADATA_SERVICE_TIMEOUT", "5"));
    own.add(variable("AWS_METADATA_SERVICE_NUM_ATTEMPTS", "20"));
    own.add(variable("APP_NAME", target.application().name()));
    own.add(variable("OPERATOR_FLINK_CONFIG", properties));
    own.add(variable("FLINK_PROPERTIES", properties));
    own.add(field("HOST_NAME", "metadata.name"));
    own.add(field("HOST_IP", "status.podIP"));
    Colour colour = target.version().colour();
    if (colour != null) {
      own.add(variable("FLINK_APPLICATION_VERSION", colour.wire()));
    }
    own.add(variable("FLINK_DEPLOYMENT_TYPE", type));
    return own;
  }

  private static EnvVar variable(String name, String value) {
    return new EnvVar(name, value, null);
  }

  private static EnvVar field(String name, String path) {
    return new EnvVarBuilder()
        .withName(name)
        .withNewValueFrom()
        .withNewFieldRef()
        .withFieldPath(path)
        .endFieldRef()
        .endValueFrom()
        .build();
  }

  private <T> T typed(String field, JsonNode json, Class<T> type) {
    try {
      return serialization.convertValue(json, type);
    } catch (IllegalArgumentException wrong) {
      String why = String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
      throw new IllegalArgumentException(field + ": cannot be read: " + why, wrong);
    }
  }
}
