package dev.sluice.local.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceLinesTest {
  private static final String NAMES = " jm.ns jm.ns.svc jm.ns.svc.cluster.local jm\n";

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

  private static String lines(ServiceBuilder service, Pod... pods) {
    return lines(List.of(service.build()), pods);
  }

  private static String lines(List<Service> services, Pod... pods) {
    return HostsFiles.lines(services, List.of(pods), "127.0.1.1", List.of("mine"));
  }

  @Test
  void aServiceIsItsReadyPodsAndNobodyWithoutThem() {
    assertThat(lines(service(), pod("a", "127.0.1.2").build(), unready("b", "127.0.1.3")))
        .isEqualTo("127.0.1.2" + NAMES);
    assertThat(lines(service(), unready("b", "127.0.1.3"))).isEqualTo("127.0.1.1" + NAMES);
  }

  @Test
  void aHeadlessServiceIsItsReadyPods() {
    String lines =
        lines(
            headless(),
            pod("b", "127.0.1.3").build(),
            pod("a", "127.0.1.2").build(),
            unready("c", "127.0.1.4"));

    assertThat(lines).isEqualTo("127.0.1.2" + NAMES + "127.0.1.3" + NAMES);
    assertThat(lines(headless())).isEmpty();
  }

  @Test
  void aHeadlessServiceThatPublishesAllIsAllItsPods() {
    var all = headless().editSpec().withPublishNotReadyAddresses(true).endSpec();

    assertThat(lines(all, unready("c", "127.0.1.4"))).isEqualTo("127.0.1.4" + NAMES);
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

    assertThat(lines(service(), ending, over, other, unlike)).isEqualTo("127.0.1.1" + NAMES);
  }

  @Test
  void aShortNameOfTwoNamespacesMeansTheFirst() {
    Service other = service().editMetadata().withNamespace("other").endMetadata().build();

    assertThat(lines(List.of(other, service().build()), pod("a", "127.0.1.2").build()))
        .isEqualTo(
            "127.0.1.2" + NAMES + "127.0.1.1 jm.other jm.other.svc jm.other.svc.cluster.local\n");
  }

  @Test
  void aServiceCannotTakeAnotherMeaningOfItsName() {
    var mine = service().editMetadata().withName("mine").endMetadata();

    assertThat(lines(mine)).isEqualTo("127.0.1.1 mine.ns mine.ns.svc mine.ns.svc.cluster.local\n");
  }

  @Test
  void aServiceWithoutSelectorIsNotTheNodesBusiness() {
    var plain = service().editSpec().withSelector(null).endSpec();

    assertThat(lines(plain)).isEmpty();
  }
}
