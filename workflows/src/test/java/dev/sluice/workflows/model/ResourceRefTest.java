package dev.sluice.workflows.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResourceRefTest {

  @Test
  void laneIdNamesTheResourceAndItsInstance() {
    ResourceRef orders =
        new ResourceRef("k8s", "FlinkDeployment", "shop", "orders", "0a1b2c3d-4e5f-6789");

    assertThat(orders.laneId()).isEqualTo("FlinkDeployment_shop_orders_0a1b2c3d");
  }

  @Test
  void resourceThatWasMadeAgainHasAnotherLane() {
    ResourceRef first =
        new ResourceRef("k8s", "FlinkDeployment", "shop", "orders", "0a1b2c3d-4e5f");
    ResourceRef second =
        new ResourceRef("k8s", "FlinkDeployment", "shop", "orders", "99999999-4e5f");

    assertThat(first.laneId()).isNotEqualTo(second.laneId());
  }
}
