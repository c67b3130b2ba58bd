package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.ListMerge;
import dev.sluice.activities.manifest.common.MountedVolume;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pod of Flink's: the user's template, and over it what Flink's client adds, in its order ({@code
 * KubernetesJobManagerFactory} of flink-kubernetes 2.2), in standalone mode what Apache's operator
 * adds.
 */
final class FlinkPod {
  static final String HOST_NETWORK = "kubernetes.hostnetwork.enabled";
  static final String HADOOP_CONFIG_MAP = "kubernetes.hadoop.conf.config-map.name";
  static final String HADOOP_DIR = "/opt/hadoop/conf";

  private final Role role;
  private final ClusterTarget target;
  private final FlinkConfiguration configuration;

  FlinkPod(Role role, ClusterTarget target, FlinkConfiguration configuration) {
    this.role = role;
    this.target = target;
    this.configuration = configuration;
  }

  /** The pod template of the Deployment, with those ConfigMaps mounted. */
  PodTemplateSpec over(Pod template, List<MountedVolume> configMaps) {
    List<MountedVolume> volumes = new ArrayList<>(volumes(template));
    volumes.addAll(configMaps);
    Pod withMain =
        PodTemplates.withMainContainer(
            template,
            new FlinkContainer(role, target, configuration)
                .over(PodTemplates.mainContainer(template), volumes));
    Pod pod =
        new PodBuilder(withMain)
            .editOrNewMetadata()
            .addToLabels(configuration.map(role.option("labels")))
            // last, as in Flink's client: Deployment and Services select by them
            .addToLabels(ClusterLabels.of(role, target))
            .addToAnnotations(configuration.map(role.option("annotations")))
            .endMetadata()
            .editSpec()
            .withServiceAccount(serviceAccount(template))
            .withServiceAccountName(serviceAccount(template))
            .withAutomountServiceAccountToken(mountsToken(template))
            .withHostNetwork(isHostNetwork())
            .withDnsPolicy(dnsPolicy(template))
            .withImagePullSecrets(
                ListMerge.over(
                    theirs(template, PodSpec::getImagePullSecrets),
                    pullSecrets(),
                    LocalObjectReference::getName))
            .addToNodeSelector(configuration.map(role.option("node-selector")))
            .addAllToTolerations(tolerations())
            .withVolumes(
                ListMerge.over(
                    theirs(template, PodSpec::getVolumes),
                    volumes.stream().map(MountedVolume::volume).toList(),
                    Volume::getName))
            .endSpec()
            .build();
    checkImages("containers", pod.getSpec().getContainers());
    checkImages("initContainers", pod.getSpec().getInitContainers());
    return new PodTemplateSpecBuilder()
        .withMetadata(pod.getMetadata())
        .withSpec(pod.getSpec())
        .build();
  }

  private static void checkImages(String list, List<Container> containers) {
    for (int i = 0; i < containers.size(); i++) {
      String image = containers.get(i).getImage();
      if (image != null && !FlinkContainer.isImage(image)) {
        throw new IllegalArgumentException(
            "podTemplate.spec.%s[%d].image: must be an image such as registry.example.com/team/agent:1.0, but is '%s'"
                .formatted(list, i, image));
      }
    }
  }

  private List<MountedVolume> volumes(Pod template) {
    List<MountedVolume> volumes = new ArrayList<>();
    if (target.isStandalone()) {
      if (role == Role.JOB_MANAGER && !target.isSession()) {
        UserJar.of(target).volume(PodTemplates.mainContainer(template)).ifPresent(volumes::add);
      }
    } else if (role == Role.JOB_MANAGER && target.flinkVersion().isAtLeast(FlinkVersion.V1_19)) {
      volumes.add(
          MountedVolume.emptyDir(
              "user-artifacts-volume",
              configuration.getOrDefault("user.artifacts.base-dir", "/opt/flink/artifacts")));
    }
    configuration
        .map("kubernetes.secrets")
        .forEach((secret, path) -> volumes.add(MountedVolume.secret(secret, path)));
    configuration
        .get(HADOOP_CONFIG_MAP)
        .ifPresent(
            name -> volumes.add(MountedVolume.configMap("hadoop-config-volume", name, HADOOP_DIR)));
    return volumes;
  }

  private String serviceAccount(Pod template) {
    return configuration
        .get(role.option("service-account"))
        .or(() -> configuration.get("kubernetes.service-account"))
        .or(() -> spec(template).map(PodSpec::getServiceAccountName))
        .orElse("default");
  }

  /**
   * A TaskManager that is a Deployment's makes no pods, and asks the API server for nothing but the
   * leader in high-availability metadata. Null where Kubernetes' default holds.
   */
  private @Nullable Boolean mountsToken(Pod template) {
    Boolean theirs = spec(template).map(PodSpec::getAutomountServiceAccountToken).orElse(null);
    boolean needsNone =
        role == Role.TASK_MANAGER
            && HighAvailabilityMode.of(configuration) != HighAvailabilityMode.KUBERNETES;
    return theirs == null && needsNone ? Boolean.FALSE : theirs;
  }

  private @Nullable String dnsPolicy(Pod template) {
    return isHostNetwork()
        ? "ClusterFirstWithHostNet"
        : spec(template).map(PodSpec::getDnsPolicy).orElse("ClusterFirst");
  }

  private List<LocalObjectReference> pullSecrets() {
    return configuration.list("kubernetes.container.image.pull-secrets").stream()
        .map(LocalObjectReference::new)
        .toList();
  }

  private List<Toleration> tolerations() {
    String option = role.option("tolerations");
    return configuration.maps(option).stream().map(fields -> toleration(option, fields)).toList();
  }

  private static Toleration toleration(String option, Map<String, String> fields) {
    String seconds = fields.get("tolerationSeconds");
    try {
      return new Toleration(
          fields.get("effect"),
          fields.get("key"),
          fields.get("operator"),
          seconds == null ? null : Long.valueOf(seconds),
          fields.get("value"));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          FlinkConfiguration.problem(
              option, "tolerationSeconds must be a whole number, but is '" + seconds + "'"),
          e);
    }
  }

  private boolean isHostNetwork() {
    return configuration.bool(HOST_NETWORK).orElse(false);
  }

  private static <T> List<T> theirs(Pod template, Function<PodSpec, List<T>> list) {
    return spec(template).map(list).orElse(List.of());
  }

  private static Optional<PodSpec> spec(Pod template) {
    return Optional.ofNullable(template.getSpec());
  }
}
