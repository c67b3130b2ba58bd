package dev.sluice.controller.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestPortTest {

  private static final ResourceRef ORDERS =
      new ResourceRef("kubernetes-1", "FlinkDeployment", "default", "orders", "uid-1");

  @Test
  void it_is_the_one_of_the_Service_that_is_there() {
    assertThat(RestPort.of(ORDERS, List.of(service("orders", 6123), service("orders-rest", 9999))))
        .contains(9999);
  }

  @Test
  void a_Service_of_somebody_else_does_not_count() {
    Service other =
        new ServiceBuilder(service("orders-rest", 9999))
            .editMetadata()
            .editFirstOwnerReference()
            .withUid("uid-2")
            .endOwnerReference()
            .endMetadata()
            .build();

    assertThat(RestPort.of(ORDERS, List.of(other))).isEmpty();
  }

  @Test
  void a_Service_that_goes_does_not_count() {
    Service going =
        new ServiceBuilder(service("orders-rest", 9999))
            .editMetadata()
            .withDeletionTimestamp("2026-11-21T10:00:00Z")
            .endMetadata()
            .build();

    assertThat(RestPort.of(ORDERS, List.of(going))).isEmpty();
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
