package dev.sluice.controller.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationLabels;
import dev.sluice.api.application.Colour;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionClusterTest {

  private static final String UID = "uid-1";
  private static final VersionRef DUAL =
      new VersionRef("aaaaaaaaaa", "full", "words-aaaaaaaaaa", null, 1, null, false);
  private static final VersionRef BLUE =
      new VersionRef("aaaaaaaaaa", "full", "words-aaaaaaaaaa", Colour.BLUE, 1, null, false);

  private static Deployment deployment(String name, String uid, int replicas, int available) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName(name)
        .addNewOwnerReference()
        .withUid(uid)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withNewSelector()
        .withMatchLabels(Map.of(ApplicationLabels.POD_DEPLOYMENT_SELECTOR, "of-" + name))
        .endSelector()
        .endSpec()
        .withNewStatus()
        .withAvailableReplicas(available)
        .endStatus()
        .build();
  }

  private static Pod waiting(String deployment, String reason) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(deployment + "-pod")
        .withLabels(Map.of(ApplicationLabels.POD_DEPLOYMENT_SELECTOR, "of-" + deployment))
        .endMetadata()
        .withNewStatus()
        .addNewContainerStatus()
        .withName("jobmanager")
        .withImage("no-such-image")
        .withNewState()
        .withNewWaiting()
        .withReason(reason)
        .endWaiting()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  @Test
  void a_cluster_is_complete_with_both_deployments_and_answers_once_its_job_manager_is_available() {
    Deployment jobManager = deployment("words-aaaaaaaaaa-jm", UID, 1, 1);
    Deployment taskManagers = deployment("words-aaaaaaaaaa-tm", UID, 3, 2);

    VersionCluster both =
        VersionCluster.of(UID, DUAL, List.of(jobManager, taskManagers), List.of());
    VersionCluster half = VersionCluster.of(UID, DUAL, List.of(jobManager), List.of());

    assertThat(both.complete()).isTrue();
    assertThat(both.answerable()).isTrue();
    assertThat(both.taskManagers()).isEqualTo(3);
    assertThat(half.complete()).isFalse();
    assertThat(half.answerable()).isTrue();
  }

  @Test
  void deployments_of_another_instance_or_colour_are_not_counted() {
    List<Deployment> others =
        List.of(
            deployment("words-aaaaaaaaaa-jm", "uid-2", 1, 1),
            deployment("words-aaaaaaaaaa-blue-jm", UID, 1, 1));

    assertThat(VersionCluster.of(UID, DUAL, others, List.of())).isEqualTo(VersionCluster.NONE);
    assertThat(VersionCluster.of(UID, BLUE, others, List.of()).answerable()).isTrue();
  }

  @Test
  void what_is_wrong_with_its_pods_is_told_and_not_what_is_with_those_of_another_cluster() {
    List<Deployment> deployments = List.of(deployment("words-aaaaaaaaaa-jm", UID, 1, 0));

    VersionCluster broken =
        VersionCluster.of(
            UID, DUAL, deployments, List.of(waiting("words-aaaaaaaaaa-jm", "ImagePullBackOff")));
    VersionCluster well =
        VersionCluster.of(
            UID, DUAL, deployments, List.of(waiting("words-bbbbbbbbbb-jm", "ImagePullBackOff")));

    assertThat(broken.problem()).contains("no-such-image");
    assertThat(broken.lasting()).isTrue();
    assertThat(well.problem()).isNull();
  }
}
