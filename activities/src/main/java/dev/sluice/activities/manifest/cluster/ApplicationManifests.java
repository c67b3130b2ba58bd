package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.manifest.common.ConfigurationFile;
import dev.sluice.activities.manifest.common.MountedVolume;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeployment;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStrategy;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Renders the objects of a cluster: in native mode as {@code
 * KubernetesClusterDescriptor.deployApplicationCluster} or {@code deploySessionCluster} of Flink's
 * own client would make them, in standalone mode as {@code KubernetesStandaloneClusterDescriptor}
 * of Apache's operator would.
 *
 * <p>Other than there, everything belongs to the FlinkDeployment and not to the Deployment, so that
 * it can be there before the Deployment is and stays while one JobManager follows another.
 */
public final class ApplicationManifests {
  private static final String TASK_MANAGER_TEMPLATE = "taskmanager-pod-template.yaml";

  /**
   * Kubernetes' rolling update would run a second JobManager, and without high availability a
   * second job, next to the first one when a user restarts the Deployment.
   */
  private static final String ONE_AFTER_THE_OTHER = "Recreate";

  /** What Flink's scripts look for ({@code Constants.CONFIG_FILE_NAME_LIST} of its client). */
  private static final List<String> LOG_FILES =
      List.of("logback-console.xml", "log4j-console.properties");

  private static final String LOG_TO_CONSOLE =
      """
      rootLogger.level = INFO
      rootLogger.appenderRef.console.ref = Console
      appender.console.name = Console
      appender.console.type = CONSOLE
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c - %m%n
      """;

  private final KubernetesSerialization serialization = PodTemplates.strict();

  /**
   * The objects, ready for a server-side apply. The same target gives the same objects.
   *
   * @throws IllegalArgumentException naming the field of the spec, when it cannot be rendered
   */
  public ClusterManifests render(ClusterTarget target) {
    FlinkConfiguration configuration = ClusterConfiguration.of(target);
    PodTemplates templates = new PodTemplates(target.spec(), serialization);

    List<ConfigMap> configMaps = new ArrayList<>();
    List<MountedVolume> mounts = new ArrayList<>();
    SortedMap<String, String> files = logFiles(target.spec().logConfiguration());
    ConfigurationFile file = ConfigurationFile.of(configuration, target.flinkVersion());
    files.put(file.name(), file.text());
    configMaps.add(configuration(target, files));
    mounts.add(mount(configMaps.get(0), "flink-config-volume", configurationDir(configuration)));
    Optional<Pod> taskManager = templates.taskManager();
    PodTemplateSpec taskManagerPod =
        new FlinkPod(Role.TASK_MANAGER, target, configuration)
            .over(taskManager.orElseGet(Pod::new), mounts);
    if (!target.isStandalone()) {
      taskManager
          .map(pod -> taskManagerTemplate(target, pod))
          .ifPresent(
              template -> {
                configMaps.add(template);
                mounts.add(mount(template, "pod-template-volume", "/opt/flink/pod-template"));
              });
    }

    Deployment jobManagers =
        deployment(
            Role.JOB_MANAGER,
            target,
            configuration,
            new FlinkPod(Role.JOB_MANAGER, target, configuration)
                .over(templates.jobManager(), mounts));
    return new ClusterManifests(
        configMaps.stream().map(configMap -> finish(target, configMap)).toList(),
        new JobManagerServices(target, configuration)
            .render().stream().map(service -> finish(target, service)).toList(),
        finish(target, jobManagers),
        target.isStandalone()
            ? managed(deployment(Role.TASK_MANAGER, target, configuration, taskManagerPod))
            : null,
        target.isStandalone() ? null : pod(target, taskManagerPod));
  }

  /**
   * The log configuration next to Flink's configuration: the user's files; when there is none, one
   * for Log4j that writes to the console. The ConfigMap hides the directory of the image that holds
   * its own ones, so without any there would be no log.
   */
  static SortedMap<String, String> logFiles(Map<String, String> logConfiguration) {
    SortedMap<String, String> files = new TreeMap<>(logConfiguration);
    files.keySet().retainAll(LOG_FILES);
    if (files.isEmpty()) {
      files.put("log4j-console.properties", LOG_TO_CONSOLE);
    }
    return files;
  }

  private static String configurationDir(FlinkConfiguration configuration) {
    return configuration.getOrDefault("kubernetes.flink.conf.dir", "/opt/flink/conf");
  }

  private static MountedVolume mount(ConfigMap configMap, String volume, String path) {
    return MountedVolume.configMap(volume, configMap.getMetadata().getName(), path)
        .withItems(configMap.getData().keySet());
  }

  private static ConfigMap configMap(
      ClusterTarget target, String name, SortedMap<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(target.namespace())
        .withLabels(ClusterLabels.common(target))
        .endMetadata()
        .withData(data)
        .build();
  }

  /**
   * Says which job it was made for; applied before the Deployment, see {@link ClusterManifests}.
   */
  private static ConfigMap configuration(ClusterTarget target, SortedMap<String, String> files) {
    ConfigMap map = configMap(target, ClusterManifests.configurationName(target.name()), files);
    map.getMetadata().setAnnotations(Map.of(Annotations.JOB_ID, target.jobId()));
    return map;
  }

  /** The JobManager looks for it at this path and makes TaskManager pods from it. */
  private ConfigMap taskManagerTemplate(ClusterTarget target, Pod template) {
    Pod pod = new PodBuilder(template).withApiVersion("v1").withKind("Pod").build();
    return configMap(
        target,
        "pod-template-" + target.name(),
        new TreeMap<>(Map.of(TASK_MANAGER_TEMPLATE, serialization.asYaml(pod))));
  }

  /** Under a name that no pod of a cluster has. */
  private static Pod pod(ClusterTarget target, PodTemplateSpec taskManager) {
    return new PodBuilder()
        .withMetadata(taskManager.getMetadata())
        .editMetadata()
        .withNamespace(target.namespace())
        .withName(null)
        .withGenerateName(ClusterManifests.taskManagersName(target.name()) + "-check-")
        .endMetadata()
        .withSpec(taskManager.getSpec())
        .editSpec()
        .withRestartPolicy("Never")
        .endSpec()
        .build();
  }

  private static Deployment deployment(
      Role role, ClusterTarget target, FlinkConfiguration configuration, PodTemplateSpec pod) {
    boolean isJobManager = role == Role.JOB_MANAGER;
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(target.namespace())
        .withName(isJobManager ? target.name() : ClusterManifests.taskManagersName(target.name()))
        .withLabels(configuration.map(role.option("labels")))
        .addToLabels(ClusterLabels.of(role, target))
        .withAnnotations(configuration.map(role.option("annotations")))
        .addToAnnotations(Annotations.APACHE_GENERATION, Long.toString(target.generation()))
        .addToAnnotations(Annotations.GENERATION, Long.toString(target.generation()))
        .addToAnnotations(Annotations.JOB_ID, target.jobId())
        .endMetadata()
        .withNewSpec()
        .withReplicas(
            isJobManager
                ? target.spec().jobManager().replicas()
                : Integer.valueOf(Math.max(1, ClusterSize.of(target.spec()).taskManagers())))
        .withStrategy(isJobManager ? new DeploymentStrategy(null, ONE_AFTER_THE_OTHER) : null)
        .withNewSelector()
        .withMatchLabels(ClusterLabels.of(role, target))
        .endSelector()
        .withTemplate(pod)
        .endSpec()
        .build();
  }

  private <T extends HasMetadata> T finish(ClusterTarget target, T rendered) {
    rendered.getMetadata().setOwnerReferences(List.of(owner(target)));
    return managed(rendered);
  }

  private <T extends HasMetadata> T managed(T rendered) {
    rendered.getMetadata().getLabels().put(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE);
    return rendered;
  }

  private static OwnerReference owner(ClusterTarget target) {
    return new OwnerReferenceBuilder()
        .withApiVersion(FlinkDeployment.API_VERSION)
        .withKind("FlinkDeployment")
        .withName(target.name())
        .withUid(target.uid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }
}
