package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.local.node.service.ServiceTable.Host;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceTableTest {
  private static final List<String> NAMES =
      List.of("jm.ns", "jm.ns.svc", "jm.ns.svc.cluster.local", "jm");

  private static ServiceBuilder service() {
    return new ServiceBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName("jm")
        .endMetadata()
        .withNewSpec()
        .withClusterIP("10.96.0.7")
        .addToSelector("app", "jm")
        .addNewPort()
        .withPort(8081)
        .withTargetPort(new IntOrString("rest"))
        .endPort()
        .endSpec();
  }

  private static ServiceBuilder headless() {
    return service().editSpec().withClusterIP("None").endSpec();
  }

  private static PodBuilder pod(String name, String ip) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName(name)
        .addToLabels("app", "jm")
        .addToLabels("more", "x")
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("c")
        .addNewPort()
        .withName("rest")
        .withContainerPort(9091)
        .endPort()
        .endContainer()
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .withPodIP(ip)
        .addNewCondition()
        .withType("Ready")
        .withStatus("True")
        .endCondition()
        .endStatus();
  }

  private static Pod unready(String name, String ip) {
    return pod(name, ip)
        .editStatus()
        .withConditions()
        .addNewCondition()
        .withType("Ready")
        .withStatus("False")
        .endCondition()
        .endStatus()
        .build();
  }

  private static ServiceTable table(ServiceBuilder service, Pod... pods) {
    Service built = service.build();
    return ServiceTable.of(List.of(built), List.of(pods), key -> "127.0.64.2");
  }

  @Test
  void aServiceAnswersOnItsOwnAddressAndForwardsToReadyPods() {
    ServiceTable table = table(service(), pod("a", "127.0.1.2").build(), unready("b", "127.0.1.3"));

    assertThat(table.hosts()).containsExactly(new Host("127.0.64.2", NAMES));
    assertThat(table.forwards())
        .containsExactly(
            new Forward(
                "ns/jm",
                new InetSocketAddress("127.0.64.2", 8081),
                List.of(new InetSocketAddress("127.0.1.2", 9091))));
  }

  @Test
  void aNumberedTargetPortIsTakenAsItIsAndAMissingOneIsThePortItself() {
    Pod pod = pod("a", "127.0.1.2").build();
    var numbered =
        service().editSpec().editPort(0).withTargetPort(new IntOrString(5)).endPort().endSpec();
    var missing = service().editSpec().editPort(0).withTargetPort(null).endPort().endSpec();

    assertThat(table(numbered, pod).forwards().get(0).endpoints())
        .containsExactly(new InetSocketAddress("127.0.1.2", 5));
    assertThat(table(missing, pod).forwards().get(0).endpoints())
        .containsExactly(new InetSocketAddress("127.0.1.2", 8081));
  }

  @Test
  void aHeadlessServiceIsItsReadyPods() {
    ServiceTable table =
        table(
            headless(),
            pod("b", "127.0.1.3").build(),
            pod("a", "127.0.1.2").build(),
            unready("c", "127.0.1.4"));

    assertThat(table.hosts())
        .containsExactly(new Host("127.0.1.2", NAMES), new Host("127.0.1.3", NAMES));
    assertThat(table.forwards()).isEmpty();
  }

  @Test
  void aHeadlessServiceThatPublishesAllIsAllItsPods() {
    var all = headless().editSpec().withPublishNotReadyAddresses(true).endSpec();

    assertThat(table(all, unready("c", "127.0.1.4")).hosts())
        .containsExactly(new Host("127.0.1.4", NAMES));
  }

  @Test
  void podsThatEndOrAreOverOrAreOthersAreLeftOut() {
    Pod ending =
        pod("a", "127.0.1.2")
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T08:00:00Z")
            .endMetadata()
            .build();
    Pod over = pod("b", "127.0.1.3").editStatus().withPhase("Failed").endStatus().build();
    Pod other = pod("c", "127.0.1.4").editMetadata().withNamespace("else").endMetadata().build();
    Pod unlike = pod("d", "127.0.1.5").editMetadata().removeFromLabels("app").endMetadata().build();

    assertThat(table(service(), ending, over, other, unlike).forwards().get(0).endpoints())
        .isEmpty();
  }

  @Test
  void aServiceWithoutSelectorIsNotTheNodesBusiness() {
    var plain = service().editSpec().withSelector(null).endSpec();

    assertThat(table(plain).hosts()).isEmpty();
    assertThat(ServiceTable.hasAddress(plain.build())).isFalse();
  }
}
