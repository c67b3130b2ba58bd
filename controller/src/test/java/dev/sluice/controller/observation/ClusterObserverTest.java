package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.controller.observation.ObservedCluster.JobManager;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpecBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterObserverTest {

  private static final String UID = "uid-1";
  private static final ResourceRef ORDERS =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "default", "orders", "uid-1");

  @Test
  void without_a_Deployment_there_is_no_cluster_whatever_pods_are_left() {
    ObservedCluster observed = observe(List.of(), List.of(pod("jm", 0, true)));

    assertThat(observed).isEqualTo(ObservedCluster.NONE);
  }

  @Test
  void a_Deployment_of_an_earlier_instance_does_not_count() {
    ObservedCluster observed = observe(List.of(deployment("another")), List.of());

    assertThat(observed.present()).isFalse();
  }

  @Test
  void a_Deployment_of_nobody_is_not_taken_for_that_of_the_resource() {
    Deployment foreign = deployment(UID);
    foreign.getMetadata().setOwnerReferences(List.of());

    assertThat(observe(List.of(foreign), List.of()).present()).isFalse();
  }

  @Test
  void a_Deployment_that_is_being_deleted_does_not_count() {
    Deployment going = deployment(UID);
    going.getMetadata().setDeletionTimestamp("2026-11-21T10:00:00Z");

    assertThat(observe(List.of(going), List.of()).present()).isFalse();
  }

  @Test
  void a_Deployment_without_a_ready_pod_is_starting() {
    ObservedCluster observed = observe(List.of(deployment(UID)), List.of(pod("jm", 0, false)));

    assertThat(observed.jobManager()).isEqualTo(JobManager.STARTING);
  }

  @Test
  void a_ready_pod_is_worth_asking_and_the_Deployment_says_about_which_job() {
    ObservedCluster observed = observe(List.of(deployment(UID)), List.of(pod("jm", 0, true)));

    assertThat(observed.answerable()).isTrue();
    assertThat(observed.jobId()).isEqualTo("job-1");
  }

  @Test
  void a_Deployment_that_is_scaled_to_0_is_stopped_and_not_missing() {
    Deployment stopped = deployment(UID);
    stopped.setSpec(new DeploymentSpecBuilder().withReplicas(0).build());

    ObservedCluster observed = observe(List.of(stopped), List.of(pod("jm", 0, true)));

    assertThat(observed.jobManager()).isEqualTo(JobManager.STOPPED);
    assertThat(observed.present()).isTrue();
    assertThat(observed.answerable()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(value = JobManager.class, names = "RUNNING", mode = EnumSource.Mode.EXCLUDE)
  void a_cluster_that_cannot_be_asked_says_why(JobManager jobManager) {
    assertThat(
            new ObservedCluster(
                    jobManager, null, null, false, ClusterHealth.GOOD, ProcessSizes.NONE, "")
                .whyNotAnswering())
        .isNotBlank()
        .doesNotEndWith(".");
  }

  @Test
  void the_sizes_of_processes_are_the_limits_of_their_main_containers() {
    Deployment deployment = deployment(UID);
    deployment.setSpec(
        new DeploymentSpecBuilder()
            .withReplicas(2)
            .withNewTemplate()
            .withSpec(podSpec("500m", "1Gi"))
            .endTemplate()
            .build());
    Pod tm = pod("tm", 0, true);
    tm.getMetadata().setName("tm");
    tm.getMetadata().getLabels().put(Labels.COMPONENT, Labels.COMPONENT_TASK_MANAGER);
    tm.setSpec(podSpec("1", "2Gi"));

    assertThat(observe(List.of(deployment), List.of(tm)).sizes())
        .isEqualTo(
            new ProcessSizes(
                new ProcessSizes.Size(1.0, 2L << 30), new ProcessSizes.Size(1.0, 2L << 30)));
  }

  private static PodSpec podSpec(String cpu, String memory) {
    return new PodSpecBuilder()
        .addNewContainer()
        .withName("flink-main-container")
        .withNewResources()
        .addToRequests("cpu", new Quantity(cpu))
        .addToLimits("memory", new Quantity(memory))
        .endResources()
        .endContainer()
        .build();
  }

  @Test
  void a_restarted_container_is_another_JobManager_process() {
    ObservedCluster before = observe(List.of(deployment(UID)), List.of(pod("jm", 0, true)));

    ObservedCluster after = observe(List.of(deployment(UID)), List.of(pod("jm", 1, true)));

    assertThat(after.jobManagerPods()).isNotEqualTo(before.jobManagerPods());
  }

  @Test
  void the_port_of_the_REST_API_is_that_of_the_Service_that_is_there() {
    assertThat(
            ClusterObserver.restPort(
                ORDERS, List.of(service("orders", 6123), service("orders-rest", 9999))))
        .contains(9999);
  }

  @Test
  void the_Service_of_somebody_else_does_not_count() {
    Service other =
        new ServiceBuilder(service("orders-rest", 9999))
            .editMetadata()
            .editFirstOwnerReference()
            .withUid("uid-2")
            .endOwnerReference()
            .endMetadata()
            .build();

    assertThat(ClusterObserver.restPort(ORDERS, List.of(other))).isEmpty();
  }

  @Test
  void a_Service_that_goes_does_not_count() {
    Service going =
        new ServiceBuilder(service("orders-rest", 9999))
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T10:00:00Z")
            .endMetadata()
            .build();

    assertThat(ClusterObserver.restPort(ORDERS, List.of(going))).isEmpty();
  }

  private static ObservedCluster observe(List<Deployment> deployments, List<Pod> pods) {
    return ClusterObserver.of(UID, deployments, pods, Instant.EPOCH);
  }

  private static Deployment deployment(String owner) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withAnnotations(new HashMap<>(Map.of(Annotations.JOB_ID, "job-1")))
        .addNewOwnerReference()
        .withUid(owner)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static Pod pod(String uid, int restarts, boolean ready) {
    return new PodBuilder()
        .withNewMetadata()
        .withUid(uid)
        .addToLabels(Labels.COMPONENT, Labels.COMPONENT_JOB_MANAGER)
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready ? "True" : "False")
        .endCondition()
        .addNewContainerStatus()
        .withRestartCount(restarts)
        .endContainerStatus()
        .endStatus()
        .build();
  }

  private static Service service(String name, int port) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .addNewOwnerReference()
        .withApiVersion("flink.apache.org/v1beta1")
        .withKind("FlinkDeployment")
        .withName("orders")
        .withUid("uid-1")
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .addNewPort()
        .withName("rest")
        .withPort(port)
        .endPort()
        .endSpec()
        .build();
  }
}
