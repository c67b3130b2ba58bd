package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationManifestsTest {
  private static final String OTHER_JOB_ID = "ffeeddccbbaa99887766554433221100";
  private final ApplicationManifests manifests = new ApplicationManifests();

  @Test
  void servicesNeedNoWriteForTheNextJob() {
    List<Service> first = manifests.render(Targets.of(Targets.SPEC)).services();

    List<Service> second =
        manifests
            .render(Targets.of(Targets.SPEC, OTHER_JOB_ID, new StateRef.Savepoint("s3://b/sp")))
            .services();

    assertThat(second).isEqualTo(first);
  }

  @Test
  void theConfigurationIsWrittenAgainForTheNextJob() {
    ClusterManifests first = manifests.render(Targets.of(Targets.SPEC));

    ClusterManifests second =
        manifests.render(Targets.of(Targets.SPEC, OTHER_JOB_ID, new StateRef.Empty("a test")));

    assertThat(second.configMaps()).isNotEqualTo(first.configMaps());
  }

  @Test
  void whatTheTemplateSaysTwiceIsSaidOnceByUs() {
    FlinkDeploymentSpec spec =
        withTemplate(
            """
            spec:
              volumes: [{name: flink-config-volume, emptyDir: {}}]
              containers:
                - name: flink-main-container
                  env: [{name: _POD_IP_ADDRESS, value: theirs}]
                  ports: [{name: web, containerPort: 8081}]
                  volumeMounts: [{name: flink-config-volume, mountPath: /opt/flink/conf}]
            """);

    PodSpec pod = manifests.render(Targets.of(spec)).deployment().getSpec().getTemplate().getSpec();

    Container main = pod.getContainers().get(0);
    assertThat(main.getEnv()).extracting(EnvVar::getName).containsOnlyOnce("_POD_IP_ADDRESS");
    assertThat(main.getPorts()).filteredOn(port -> port.getContainerPort() == 8081).hasSize(1);
    assertThat(main.getVolumeMounts())
        .filteredOn(mount -> mount.getMountPath().equals("/opt/flink/conf"))
        .hasSize(1);
    assertThat(pod.getVolumes())
        .extracting(Volume::getName)
        .containsOnlyOnce("flink-config-volume");
  }

  @Test
  void aStartupProbeOfTheTemplateIsKept() {
    FlinkDeploymentSpec spec =
        withTemplate(
            """
            spec:
              containers:
                - name: flink-main-container
                  startupProbe: {exec: {command: ["true"]}}
            """);

    PodSpec pod = manifests.render(Targets.of(spec)).deployment().getSpec().getTemplate().getSpec();

    assertThat(pod.getContainers().get(0).getStartupProbe().getExec().getCommand())
        .containsExactly("true");
  }

  /** Deployment, Services and TaskManagers find each other by them. */
  @Test
  void nobodyCanTakeTheLabelsAwayThatSelect() {
    String theirs = "app:theirs,component:theirs,type:theirs,team:shop";
    FlinkDeploymentSpec spec =
        withTemplate("metadata: {labels: {app: theirs, component: theirs, type: theirs}}")
            .withConfiguration(
                FlinkConfiguration.of(
                    Map.of(
                        "kubernetes.jobmanager.labels", theirs,
                        "kubernetes.rest-service.labels", theirs)));

    ClusterManifests rendered = manifests.render(Targets.of(spec));

    Deployment deployment = rendered.deployment();
    assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels())
        .containsEntry("app", "orders")
        .containsEntry("team", "shop");
    assertThat(rendered.all())
        .extracting(object -> object.getMetadata().getLabels())
        .allSatisfy(
            labels ->
                assertThat(labels)
                    .containsEntry("app", "orders")
                    .containsEntry("type", "flink-native-kubernetes"));
  }

  @Test
  void saysWhereATemplateIsNoPodButNotWhatStandsThere() {
    FlinkDeploymentSpec spec =
        withTemplate("spec: {containers: [{name: x, env: [{name: A, value: v}, s3cret]}]}");

    assertThatThrownBy(() -> manifests.render(Targets.of(spec)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("podTemplate")
        .hasMessageEndingWith(".spec.containers[0].env[1]")
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.jobmanager.labels",
        "kubernetes.jobmanager.tolerations",
        "kubernetes.jobmanager.cpu.limit-factor",
        "kubernetes.rest-service.exposed.type"
      })
  void namesAnOptionItCannotRead(String key) {
    ClusterTarget target = Targets.configured(Map.of(key, "nonsense"));

    assertThatThrownBy(() -> manifests.render(target))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("flinkConfiguration." + key);
  }

  @Test
  void aTargetNeedsAVersionAndAKnownState() {
    assertThatThrownBy(() -> Targets.of(Targets.SPEC.withFlinkVersion(null)))
        .hasMessageContaining("spec.flinkVersion");
    assertThatThrownBy(() -> Targets.of(Targets.SPEC, OTHER_JOB_ID, new StateRef.Unknown("lost")))
        .hasMessageContaining("cannot be started from unknown state (lost)");
  }

  private static FlinkDeploymentSpec withTemplate(String yaml) {
    try {
      return Targets.SPEC.withPodTemplate(new YAMLMapper().readTree(yaml));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
