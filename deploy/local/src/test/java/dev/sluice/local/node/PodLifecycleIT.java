package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.Watch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("node")
@ExtendWith(Laptop.class)
class PodLifecycleIT {
  private final Cluster cluster;

  PodLifecycleIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aPodThatIsCreatedRunsOnAnAddressOfItsOwnWithAllConditionsTrue() {
    cluster.create(cluster.bash("runs", "exec sleep 100"));

    Pod pod = cluster.awaitPhase("runs", "Running");

    assertThat(pod.getSpec().getNodeName()).isEqualTo("laptop");
    assertThat(pod.getStatus().getPodIP()).startsWith("127.22.");
    Map<String, String> conditions =
        pod.getStatus().getConditions().stream()
            .collect(Collectors.toMap(PodCondition::getType, PodCondition::getStatus));
    assertThat(conditions)
        .containsEntry("PodScheduled", "True")
        .containsEntry("Initialized", "True")
        .containsEntry("ContainersReady", "True")
        .containsEntry("Ready", "True");
  }

  @Test
  void aPodThatIsNeverRestartedEndsWithTheExitCodeOfItsProcess() {
    cluster.create(
        cluster.bash("fails", "exit 42").editSpec().withRestartPolicy("Never").endSpec());

    Pod pod = cluster.awaitPhase("fails", "Failed");

    var terminated = pod.getStatus().getContainerStatuses().get(0).getState().getTerminated();
    assertThat(terminated.getExitCode()).isEqualTo(42);
    assertThat(terminated.getReason()).isEqualTo("Error");
  }

  @Test
  void aPodWhoseProcessesAllSucceedHasSucceeded() {
    cluster.create(
        cluster.bash("succeeds", "true").editSpec().withRestartPolicy("OnFailure").endSpec());

    Pod pod = cluster.awaitPhase("succeeds", "Succeeded");

    var terminated = pod.getStatus().getContainerStatuses().get(0).getState().getTerminated();
    assertThat(terminated.getReason()).isEqualTo("Completed");
  }

  @Test
  void aContainerThatKeepsFailingIsRestartedAtOnceAndThenBacksOff() {
    cluster.create(cluster.bash("loops", "exit 3"));

    ContainerStatus status =
        cluster.awaitStatus(
            "loops",
            s ->
                s.getRestartCount() >= 2
                    && s.getState().getWaiting() != null
                    && s.getState().getWaiting().getReason().equals("CrashLoopBackOff"));

    assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(3);
    assertThat(cluster.pod("loops").getStatus().getPhase()).isEqualTo("Running");
  }

  @Test
  void aProcessKilledBySignalNEndsWith128PlusN() throws Exception {
    cluster.create(cluster.bash("killed", "exec sleep 100"));
    cluster.awaitPhase("killed", "Running");

    cluster.kill("killed");

    ContainerStatus status =
        cluster.awaitStatus(
            "killed", s -> s.getRestartCount() == 1 && s.getState().getRunning() != null);
    assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(137);
  }

  @Test
  void aDeletedPodIsAskedToEndAndStaysUntilItsProcessHas() {
    String script =
        "trap 'echo asked; while [ ! -e go ]; do sleep 0.1; done; exit 0' TERM; touch up;"
            + " while true; do sleep 0.1; done";
    cluster.create(cluster.bash("polite", script));
    cluster.awaitPhase("polite", "Running");
    var folder =
        cluster
            .awaiting("folder")
            .until(() -> ContainerFolder.container(cluster, "polite"), f -> f.exists("up"));

    cluster.client().pods().inNamespace(cluster.namespace()).withName("polite").delete();

    cluster.awaiting("asked").until(() -> folder.log().contains("asked"));
    assertThat(cluster.pod("polite")).isNotNull();
    folder.touch("go");
    cluster.awaitGone("polite");
    assertThat(folder.alive()).isFalse();
  }

  @Test
  void aProcessThatDoesNotEndWhenAskedIsKilledWithItsChildrenAfterTheGracePeriod() {
    cluster.create(
        cluster.bash(
            "stubborn",
            "trap '' TERM; sleep 1000 & echo $! > child; while true; do sleep 1; done"));
    cluster.awaitPhase("stubborn", "Running");
    var folder =
        cluster
            .awaiting("child")
            .until(
                () -> ContainerFolder.container(cluster, "stubborn"),
                f -> f.read("child").endsWith("\n"));
    long child = folder.number("child");

    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withName("stubborn")
        .withGracePeriod(1)
        .delete();

    cluster.awaitGone("stubborn");
    // a killed process counts as alive until its new parent has seen its end
    cluster
        .awaiting("end of the child")
        .until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void initContainersRunOneAfterTheOtherBeforeTheOthers() throws Exception {
    var pod = cluster.bash("init", "cat /shared/out; exec sleep 100");
    pod.editSpec()
        .addNewVolume()
        .withName("shared")
        .withNewEmptyDir()
        .endEmptyDir()
        .endVolume()
        .addNewInitContainer()
        .withName("first")
        .withImage("bash")
        .withArgs("-c", "echo first >> /shared/out")
        .addNewVolumeMount()
        .withName("shared")
        .withMountPath("/shared")
        .endVolumeMount()
        .endInitContainer()
        .addNewInitContainer()
        .withName("second")
        .withImage("bash")
        .withArgs("-c", "echo second >> /shared/out")
        .addNewVolumeMount()
        .withName("shared")
        .withMountPath("/shared")
        .endVolumeMount()
        .endInitContainer()
        .editContainer(0)
        .addNewVolumeMount()
        .withName("shared")
        .withMountPath("/shared")
        .endVolumeMount()
        .endContainer()
        .endSpec();

    cluster.create(pod);

    cluster.awaitPhase("init", "Running");
    cluster
        .awaiting("output")
        .until(() -> ContainerFolder.container(cluster, "init").log().equals("first\nsecond\n"));
  }

  @Test
  void whatFailsWhileAContainerIsPreparedIsSaidInItsStatus() {
    cluster.create(
        cluster
            .bash("impossible", "")
            .editSpec()
            .addNewVolume()
            .withName("nope")
            .withNewHostPath("/proc/nope", "DirectoryOrCreate")
            .endVolume()
            .editContainer(0)
            .addNewVolumeMount()
            .withName("nope")
            .withMountPath("/nope")
            .endVolumeMount()
            .endContainer()
            .endSpec());

    ContainerStatus status =
        cluster.awaitStatus(
            "impossible",
            s ->
                s.getState().getWaiting() != null
                    && s.getState().getWaiting().getReason().equals("CreateContainerError"));

    assertThat(status.getState().getWaiting().getMessage()).contains("/proc/nope");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hosts", "kubeconfig", "volumes"})
  void aContainerMayHaveAnyName(String name) {
    cluster.create(
        cluster
            .bash("named-" + name, "exec sleep 100")
            .editSpec()
            .editContainer(0)
            .withName(name)
            .endContainer()
            .endSpec());

    cluster.awaitPhase("named-" + name, "Running");
  }

  @Test
  void aContainerCannotTakeTheMarksOfItsClusterOff() throws Exception {
    cluster.create(
        cluster
            .bash("marked", "exec sleep 100")
            .editSpec()
            .editContainer(0)
            .addNewEnv()
            .withName("SLUICE_CLUSTER")
            .withValue("another")
            .endEnv()
            .addNewEnv()
            .withName("SLUICE_PART")
            .withValue("etcd")
            .endEnv()
            .endContainer()
            .endSpec());
    cluster.awaitPhase("marked", "Running");

    assertThat(
            cluster.awaitEnvironment(
                cluster.status("marked"), "SLUICE_CLUSTER=" + cluster.node().home()))
        .noneMatch(entry -> entry.startsWith("SLUICE_PART="));
  }

  @Test
  void anImageNobodyKnowsIsSaidToBeSoWithWhatIsKnown() {
    List<ContainerStateWaiting> seen = new CopyOnWriteArrayList<>();
    try (Watch states = cluster.watchWaiting("unknown", seen::add)) {
      cluster.create(
          cluster
              .bash("unknown", "")
              .editSpec()
              .editContainer(0)
              .withImage("nginx:1")
              .endContainer()
              .endSpec());
      cluster
          .awaiting("the second try")
          .until(() -> seen.stream().anyMatch(it -> it.getReason().equals("ImagePullBackOff")));
    }

    // it is said for a quarter of a second
    ContainerStateWaiting first =
        seen.stream().filter(it -> it.getMessage() != null).findFirst().orElseThrow();
    assertThat(first.getReason()).isEqualTo("ErrImagePull");
    assertThat(first.getMessage()).contains("nginx:1").contains("bash");
  }
}
