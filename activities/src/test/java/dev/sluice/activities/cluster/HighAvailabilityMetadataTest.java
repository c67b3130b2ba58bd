package dev.sluice.activities.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Refs;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HighAvailabilityMetadataTest {

  private static final String OF_JOB = "orders-" + Refs.JOB_ID + "-config-map";

  @ParameterizedTest
  @CsvSource({
    "true,  checkpointID-0000000000000000018, CHECKPOINT",
    "true,  counter,                          NO_CHECKPOINT",
    "true,  ,                                 NO_CHECKPOINT",
    "false, checkpointID-0000000000000000018, OFF"
  })
  void theMetadataOfTheJobTells(boolean isOn, String key, HighAvailability expected) {
    Map<String, String> data = key == null ? null : Map.of(key, "x");

    assertThat(evidence(isOn, Refs.JOB_ID, configMap(OF_JOB, data))).isEqualTo(expected);
    assertThat(evidence(true, null, configMap(OF_JOB, data)))
        .isEqualTo(HighAvailability.NO_METADATA);
  }

  /** Flink deletes it when the job ends, whatever the job had completed. */
  @Test
  void metadataThatIsMissingProvesNothing() {
    ConfigMap leaders = configMap("orders-cluster-config-map", Map.of("x", "y"));
    ConfigMap other =
        configMap("orders-" + Refs.OTHER_JOB_ID + "-config-map", Map.of("checkpointID-1", "x"));

    assertThat(evidence(true, Refs.JOB_ID, leaders, other)).isEqualTo(HighAvailability.NO_METADATA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobGraph-", "executionPlan-"})
  void theJobGraphsAreKnownByTheKeysOfEveryVersion(String prefix) {
    ConfigMap leaders =
        configMap(
            "orders-cluster-config-map",
            Map.of(prefix + Refs.JOB_ID, "x", "org.apache.flink.k8s.leader.restserver", "y"));

    assertThat(HighAvailabilityMetadata.jobGraphs(leaders)).containsExactly(prefix + Refs.JOB_ID);
  }

  @Test
  void theKeyOfACheckpointHasItsId() {
    ConfigMap ofJob =
        configMap(
            OF_JOB,
            Map.of(
                "checkpointID-0000000000000000018",
                "x",
                "checkpointID-0000000000000000009",
                "x",
                "counter",
                "19"));

    assertThat(newest(ofJob)).hasValue(18);
    assertThat(newest(configMap(OF_JOB, Map.of("counter", "1")))).isEmpty();
    assertThat(newest()).isEmpty();
  }

  private static OptionalLong newest(ConfigMap... maps) {
    return HighAvailabilityMetadata.newestCheckpoint(Refs.CLUSTER, Refs.JOB_ID, List.of(maps));
  }

  /** FLINK-30408, FLINK-30437: other ConfigMaps of the cluster are not taken for metadata. */
  @Test
  void onlyItsNameTellsMetadataFromOtherConfigMaps() {
    assertThat(
            HighAvailabilityMetadata.of(
                Refs.CLUSTER,
                List.of(
                    configMap(OF_JOB, null),
                    configMap("orders-cluster-config-map", null),
                    configMap("flink-config-orders", null),
                    configMap("pod-template-orders", null),
                    configMap("payments-cluster-config-map", null))))
        .extracting(map -> map.getMetadata().getName())
        .containsExactly(OF_JOB, "orders-cluster-config-map");
  }

  private static HighAvailability evidence(boolean isOn, String jobId, ConfigMap... maps) {
    return HighAvailabilityMetadata.evidence(Refs.CLUSTER, isOn, jobId, List.of(maps));
  }

  private static ConfigMap configMap(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withData(data)
        .build();
  }
}
