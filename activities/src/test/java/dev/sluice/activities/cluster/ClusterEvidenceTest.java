package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.support.Pods;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterEvidenceTest {

  private static final RunningCluster CLUSTER = cluster(Map.of());
  private static final RunningCluster HIGHLY_AVAILABLE =
      cluster(Map.of("high-availability.type", "kubernetes"));

  @Test
  void aDeploymentSaysWhatItWasMadeFor() {
    ClusterObservation seen = seen(deployment(Refs.UID), List.of(Pods.taskManager()));

    assertThat(seen.present()).isTrue();
    assertThat(seen.generation()).isEqualTo(7);
    assertThat(seen.jobId()).isEqualTo(Refs.JOB_ID);
    assertThat(seen.pods()).isEqualTo(1);
    assertThat(seen.problem()).isNull();
  }

  @Test
  void aDeploymentThatIsBeingDeletedIsNotPresent() {
    Deployment deleting =
        new DeploymentBuilder(deployment(Refs.UID))
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T08:00:00Z")
            .endMetadata()
            .build();

    assertThat(seen(deleting, List.of()).present()).isFalse();
    assertThat(ClusterEvidence.absence(objects(deleting, List.of()), Refs.RESOURCE))
        .isEqualTo("the JobManager Deployment is being deleted");
  }

  @Test
  void aDeploymentOfAnEarlierInstanceIsNotPresent() {
    ClusterObservation seen = seen(deployment("earlier"), List.of());

    assertThat(seen.present()).isFalse();
    assertThat(seen.jobId()).isNull();
  }

  @Test
  void theConfigurationSaysWhichJobWasAboutToBeStarted() {
    ConfigMap configuration = configuration(Refs.UID, Refs.OTHER_JOB_ID);

    assertThat(seen(null, List.of(), configuration).preparedJobId()).isEqualTo(Refs.OTHER_JOB_ID);
    assertThat(seen(null, List.of()).preparedJobId()).isNull();
    assertThat(seen(null, List.of(), configuration("earlier", Refs.OTHER_JOB_ID)).preparedJobId())
        .isNull();
  }

  @ParameterizedTest
  @CsvSource({"true, CHECKPOINT", "false, OFF"})
  void theMetadataIsThatOfTheJobThatTheClusterWasMadeFor(boolean on, HighAvailability expected) {
    ConfigMap metadata =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("orders-" + Refs.JOB_ID + "-config-map")
            .endMetadata()
            .withData(Map.of("checkpointID-0000000000000000018", "x"))
            .build();

    ClusterObservation seen =
        ClusterEvidence.of(
            on ? HIGHLY_AVAILABLE : CLUSTER,
            Refs.RESOURCE,
            objects(deployment(Refs.UID), List.of(), metadata),
            null);

    assertThat(seen.highAvailability()).isEqualTo(expected);
  }

  @Test
  void aClusterIsNoneOnlyWhenNothingOfItIsLeft() {
    Pod pod = Pods.taskManager();
    ConfigMap configuration = configuration(Refs.UID, Refs.JOB_ID);

    assertThat(isNone(null, List.of())).isTrue();
    assertThat(isNone(deployment(Refs.UID), List.of())).isFalse();
    assertThat(isNone(null, List.of(pod))).isFalse();
    assertThat(isNone(null, List.of(), configuration)).isFalse();
  }

  @Test
  void aDeploymentOfSomebodyElseIsNoTraceOfOurs() {
    assertThat(isNone(deployment(null), List.of(Pods.taskManager()))).isTrue();
    assertThat(ClusterEvidence.absence(objects(deployment(null), List.of()), Refs.RESOURCE))
        .isEqualTo("Deployment orders has no owner");
  }

  private static boolean isNone(Deployment deployment, List<Pod> pods, ConfigMap... configMaps) {
    return ClusterEvidence.isNone(objects(deployment, pods, configMaps), CLUSTER, Refs.RESOURCE);
  }

  private static ClusterObservation seen(
      Deployment deployment, List<Pod> pods, ConfigMap... configMaps) {
    return ClusterEvidence.of(CLUSTER, Refs.RESOURCE, objects(deployment, pods, configMaps), null);
  }

  private static ClusterObjects objects(
      Deployment deployment, List<Pod> pods, ConfigMap... configMaps) {
    return new ClusterObjects(
        Optional.ofNullable(deployment), Optional.empty(), pods, List.of(configMaps));
  }

  private static Deployment deployment(String owner) {
    return new DeploymentBuilder(Clusters.deployment("default", owner))
        .editMetadata()
        .addToAnnotations(Annotations.GENERATION, "7")
        .addToAnnotations(Annotations.JOB_ID, Refs.JOB_ID)
        .endMetadata()
        .build();
  }

  private static ConfigMap configuration(String owner, String jobId) {
    return new ConfigMapBuilder(Clusters.configMap("default", "flink-config-orders", owner))
        .editMetadata()
        .addToAnnotations(Annotations.JOB_ID, jobId)
        .endMetadata()
        .build();
  }

  private static RunningCluster cluster(Map<String, String> configuration) {
    return new RunningCluster(
        Refs.CLUSTER, Endpoint.of(Refs.CLUSTER), FlinkConfiguration.of(configuration), null, null);
  }
}
