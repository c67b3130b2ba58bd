package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Refs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnershipTest {

  @ParameterizedTest
  @CsvSource({
    "flink.apache.org/v1beta1, FlinkDeployment, orders, 11111111-aaaa-bbbb-cccc-222222222222, OURS",
    "flink.apache.org/v1beta1, FlinkDeployment, orders, other-uid, EARLIER_INSTANCE",
    "flink.apache.org/v1beta1, FlinkDeployment, other, other-uid, SOMEBODY_ELSE",
    "flink.apache.org/v1beta1, FlinkSessionJob, orders, other-uid, SOMEBODY_ELSE",
    "apps/v1, Deployment, orders, other-uid, SOMEBODY_ELSE",
  })
  void theOwnerReferenceTells(
      String version, String kind, String name, String uid, Ownership expected) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("flink-config-orders")
            .withOwnerReferences(new OwnerReference(version, false, false, kind, name, uid))
            .endMetadata()
            .build();

    assertThat(Ownership.of(map, Refs.RESOURCE)).isEqualTo(expected);
  }

  @Test
  void anObjectWithoutOwnerIsNotOurs() {
    ConfigMap map = new ConfigMapBuilder().withNewMetadata().withName("x").endMetadata().build();

    assertThat(Ownership.of(map, Refs.RESOURCE)).isEqualTo(Ownership.SOMEBODY_ELSE);
    assertThat(Ownership.owners(map)).isEqualTo("ConfigMap x has no owner");
  }
}
