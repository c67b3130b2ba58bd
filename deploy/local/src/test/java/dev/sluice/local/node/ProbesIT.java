package dev.sluice.local.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.Laptop.Cluster;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("node")
@ExtendWith(Laptop.class)
class ProbesIT {
  private final Cluster cluster;

  ProbesIT(Cluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void aPodIsReadyWhileItsHttpReadinessProbeSucceeds() {
    cluster.create(with(answers("web"), null, http("/healthz", 1), null));
    cluster.awaitStatus("web", ContainerStatus::getReady);

    ContainerFolder.container(cluster, "web").touch("sick");

    ContainerStatus status = cluster.awaitStatus("web", s -> !s.getReady());
    assertThat(status.getState().getRunning()).isNotNull();
    assertThat(status.getRestartCount()).isZero();
  }

  @Test
  void aContainerIsRestartedWhenItsLivenessProbeFailsOftenEnough() {
    Probe liveness = http("/healthz", 2);
    Probe startup = http("/healthz", 1000);
    cluster.create(with(answers("dies"), startup, null, liveness));
    cluster.awaitStatus("dies", ContainerStatus::getReady);

    ContainerFolder.container(cluster, "dies").touch("sick");

    ContainerStatus status =
        cluster.awaitStatus(
            "dies", s -> s.getRestartCount() == 1 && s.getState().getRunning() != null);
    assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(143);
  }

  @Test
  void livenessWaitsForTheStartupProbe() {
    Probe startup = http("/exists/up", 1000);
    Probe liveness = http("/exists/up", 1);
    cluster.create(with(answers("slow"), startup, null, liveness));
    cluster.awaitPhase("slow", "Running");
    assertThat(cluster.status("slow").getStarted()).isFalse();

    ContainerFolder.container(cluster, "slow").touch("up");

    ContainerStatus status = cluster.awaitStatus("slow", ContainerStatus::getReady);
    assertThat(status.getStarted()).isTrue();
    assertThat(status.getRestartCount()).isZero();
  }

  @Test
  void aTcpProbeSucceedsOnceThePortIsOpen() {
    Probe tcp =
        new ProbeBuilder()
            .withPeriodSeconds(1)
            .withNewTcpSocket()
            .withPort(new IntOrString(8080))
            .endTcpSocket()
            .build();
    cluster.create(with(answers("tcp"), null, tcp, null));

    assertThat(cluster.awaitStatus("tcp", ContainerStatus::getReady).getStarted()).isTrue();
  }

  private PodBuilder answers(String name) {
    return cluster
        .bash(name, "")
        .editSpec()
        .editContainer(0)
        .withImage("answers")
        .withArgs()
        .endContainer()
        .endSpec();
  }

  private static PodBuilder with(PodBuilder pod, Probe startup, Probe readiness, Probe liveness) {
    return pod.editSpec()
        .editContainer(0)
        .withStartupProbe(startup)
        .withReadinessProbe(readiness)
        .withLivenessProbe(liveness)
        .endContainer()
        .endSpec();
  }

  private static Probe http(String path, int failures) {
    return new ProbeBuilder()
        .withPeriodSeconds(1)
        .withTimeoutSeconds(5)
        .withFailureThreshold(failures)
        .withNewHttpGet()
        .withPath(path)
        .withPort(new IntOrString(8080))
        .endHttpGet()
        .build();
  }
}
