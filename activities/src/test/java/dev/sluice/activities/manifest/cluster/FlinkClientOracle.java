package dev.sluice.activities.manifest.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.FlinkConfiguration;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.client.deployment.ClusterDeploymentException;
import org.apache.flink.client.deployment.ClusterSpecification;
import org.apache.flink.client.deployment.application.ApplicationConfiguration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.kubernetes.KubernetesClusterClientFactory;
import org.apache.flink.kubernetes.KubernetesClusterDescriptor;
import org.apache.flink.kubernetes.kubeclient.FlinkKubeClient;
import org.apache.flink.kubernetes.kubeclient.FlinkKubeClientFactory;
import org.apache.flink.kubernetes.kubeclient.KubernetesJobManagerSpecification;
import org.apache.flink.kubernetes.kubeclient.resources.KubernetesPod;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.api.model.HasMetadata;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * What Flink's own client makes of the same spec: the real {@code KubernetesClusterDescriptor}, up
 * to the call with which it would create the objects.
 */
final class FlinkClientOracle {
  /** What the client itself adds; it gets none of them, so that ours are compared with its own. */
  private static final List<String> DERIVED =
      List.of(
          "blob.server.port",
          "taskmanager.rpc.port",
          "jobmanager.rpc.address",
          "kubernetes.internal.jobmanager.entrypoint.class",
          "internal.cluster.execution-mode",
          "high-availability.cluster-id",
          "high-availability.jobmanager.port",
          "$internal.application.main",
          "$internal.application.program-args");

  private static final YAMLMapper YAML = new YAMLMapper();

  private final org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.client.utils
          .KubernetesSerialization
      shaded =
          new org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.client.utils
              .KubernetesSerialization();
  private final Path folder;

  /**
   * @param folder for the files through which the client takes templates and log configuration
   */
  FlinkClientOracle(Path folder) {
    this.folder = folder;
  }

  /** Objects by {@code Kind/name}. */
  Map<String, JsonNode> objects(ClusterTarget target) {
    Configuration configuration = configuration(target);
    ClusterSpecification size =
        new KubernetesClusterClientFactory().getClusterSpecification(configuration);
    ApplicationConfiguration application =
        target.isSession()
            ? null
            : new ApplicationConfiguration(
                target.job().args().toArray(new String[0]), target.job().entryClass());
    Captured captured = deploy(configuration, size, application);
    Map<String, JsonNode> objects = new TreeMap<>();
    add(objects, captured.specification.getDeployment());
    captured.specification.getAccompanyingResources().forEach(object -> add(objects, object));
    return objects;
  }

  private static Captured deploy(
      Configuration configuration,
      ClusterSpecification size,
      @Nullable ApplicationConfiguration application) {
    FlinkKubeClientFactory factory =
        new FlinkKubeClientFactory() {
          @Override
          public FlinkKubeClient fromConfiguration(Configuration ignored, String useCase) {
            return capturingClient();
          }
        };
    try (KubernetesClusterDescriptor descriptor =
        new KubernetesClusterDescriptor(configuration, factory, nothingToUpload -> {})) {
      if (application == null) {
        descriptor.deploySessionCluster(size);
      } else {
        descriptor.deployApplicationCluster(size, application);
      }
      throw new IllegalStateException("Flink's client created nothing");
    } catch (ClusterDeploymentException e) {
      if (e.getCause() instanceof Captured captured) {
        return captured;
      }
      throw new IllegalStateException("Flink's client refuses this spec", e);
    }
  }

  private static FlinkKubeClient capturingClient() {
    return (FlinkKubeClient)
        Proxy.newProxyInstance(
            FlinkClientOracle.class.getClassLoader(),
            new Class<?>[] {FlinkKubeClient.class},
            FlinkClientOracle::answer);
  }

  private static Object answer(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "getService" -> Optional.empty();
      case "loadPodFromTemplateFile" -> new KubernetesPod(pod((File) arguments[0]));
      case "createJobManagerComponent" ->
          throw new Captured((KubernetesJobManagerSpecification) arguments[0]);
      case "stopAndCleanupCluster", "close" -> null;
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }

  private static Pod pod(File template) {
    return new org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.client.utils
            .KubernetesSerialization()
        .unmarshal(read(template.toPath()), Pod.class);
  }

  private Configuration configuration(ClusterTarget target) {
    FlinkConfiguration ours = ClusterConfiguration.of(target);
    Configuration configuration = Configuration.fromMap(ours.asMap());
    DERIVED.forEach(key -> configuration.removeKey(key));
    target
        .spec()
        .configuration()
        .asMap()
        .forEach(
            (key, value) -> {
              if (DERIVED.contains(key)) {
                configuration.setString(key, value);
              }
            });
    KubernetesSerialization serialization = new KubernetesSerialization();
    PodTemplates templates = new PodTemplates(target.spec(), serialization);
    configuration.setString(
        "kubernetes.pod-template-file.jobmanager",
        write("jm.yaml", serialization.asYaml(templates.jobManager())));
    templates
        .taskManager()
        .ifPresent(
            pod ->
                configuration.setString(
                    "kubernetes.pod-template-file.taskmanager",
                    write("tm.yaml", serialization.asYaml(pod))));
    ApplicationManifests.logFiles(target.spec().logConfiguration()).forEach(this::write);
    configuration.setString("$internal.deployment.config-dir", folder.toString());
    return configuration;
  }

  private String write(String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Map<String, JsonNode> objects, HasMetadata object) {
    try {
      objects.put(
          object.getKind() + "/" + object.getMetadata().getName(),
          YAML.readTree(shaded.asYaml(object)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Carries what would have been created out of the client. */
  private static final class Captured extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient KubernetesJobManagerSpecification specification;

    Captured(KubernetesJobManagerSpecification specification) {
      this.specification = specification;
    }
  }
}
