package dev.sluice.activities.manifest.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.JobManagerConfig;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlinkPropertiesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ClusterRef CLUSTER = new ClusterRef("streams", "wordcount-1a2b3c4d5e");

  /** W14: Lyft's operator leaves all properties out, and starts the cluster without them. */
  @ParameterizedTest
  @CsvSource({
    "1.20, jobManagerConfig, offHeapMemoryFraction",
    "1.20, taskManagerConfig, offHeapMemoryFraction",
    "1.10, jobManagerConfig, systemMemoryFraction",
    "1.10, taskManagerConfig, systemMemoryFraction",
    "unknown, taskManagerConfig, systemMemoryFraction"
  })
  void aFractionOfAnotherFlinkIsAnError(String version, String process, String fraction) {
    FlinkApplicationSpec spec =
        spec(
            """
            flinkVersion: "%s"
            %s: {%s: 0.5}
            """
                .formatted(version, process, fraction));

    assertThatThrownBy(() -> jobManager(spec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("spec." + process + "." + fraction + ": ");
  }

  /** W14, too: Lyft's operator takes the default instead. */
  @ParameterizedTest
  @ValueSource(strings = {"-0.1", "1.1"})
  void aFractionOutOfBoundsIsAnError(String fraction) {
    FlinkApplicationSpec spec =
        spec("flinkVersion: \"1.20\"\njobManagerConfig: {systemMemoryFraction: " + fraction + "}");

    assertThatThrownBy(() -> jobManager(spec))
        .hasMessage(
            "spec.jobManagerConfig.systemMemoryFraction: must be between 0 and 1, but is "
                + fraction);
  }

  /** W14, too: Lyft's operator sets a size of 0. */
  @Test
  void memoryThatIsNotRequestedIsAnError() {
    FlinkApplicationSpec spec = spec("flinkVersion: \"1.20\"");
    FlinkApplicationSpec without =
        spec.withJobManagerConfig(
            new JobManagerConfig(
                new ResourceRequirementsBuilder().build(),
                null,
                null,
                null,
                null,
                null,
                null,
                null));

    assertThatThrownBy(() -> jobManager(without))
        .hasMessageStartingWith("spec.jobManagerConfig.resources.requests.memory: must be given");
  }

  /** The entry point takes the text line by line. */
  @Test
  void aValueOfTwoLinesIsAnError() {
    FlinkApplicationSpec spec =
        spec(
            "flinkVersion: \"1.20\"\nflinkConfig: {env.java.opts.all: \"-Da=1\\nweb.tmpdir: /x\"}");

    assertThatThrownBy(() -> jobManager(spec))
        .hasMessage("spec.flinkConfig.env.java.opts.all: must be one line of text");
  }

  /** W21: neither only a key of Flink's HA, nor the id of an operator. */
  @ParameterizedTest
  @ValueSource(strings = {"high-availability", "high-availability.type", "recovery.mode"})
  void withHighAvailabilityNamespaceAndBothIdsAreThoseOfTheCluster(String key) {
    FlinkApplicationSpec spec =
        spec(
            """
            flinkVersion: "1.20"
            flinkConfig:
              %s: kubernetes
              high-availability.cluster-id: mine
              kubernetes.namespace: mine
            """
                .formatted(key));

    assertThat(lines(jobManager(spec)))
        .contains(
            "high-availability.type: kubernetes",
            "high-availability.cluster-id: wordcount-1a2b3c4d5e",
            "kubernetes.cluster-id: wordcount-1a2b3c4d5e",
            "kubernetes.namespace: streams",
            "jobmanager.rpc.address: $HOST_IP")
        .noneMatch(line -> line.endsWith("mine"));
    assertThat(lines(taskManager(spec)))
        .contains(
            "high-availability.cluster-id: wordcount-1a2b3c4d5e",
            "kubernetes.namespace: streams",
            "taskmanager.host: $HOST_IP")
        .noneMatch(line -> line.startsWith("jobmanager.rpc.address"));
  }

  @Test
  void highAvailabilityNoneIsNone() {
    FlinkApplicationSpec spec =
        spec("flinkVersion: \"1.20\"\nflinkConfig: {high-availability: NONE}");

    assertThat(lines(taskManager(spec)))
        .contains("jobmanager.rpc.address: wordcount-1a2b3c4d5e", "taskmanager.host: $HOST_IP")
        .noneMatch(line -> line.contains("cluster-id"));
  }

  /** W22. */
  @Test
  void flink2GetsNoKeyThatItDoesNotKnow() {
    FlinkApplicationSpec spec =
        spec(
            """
            flinkVersion: "2.2"
            uiPort: 9081
            flinkConfig:
              high-availability: kubernetes
              jobmanager.heap.size: 1g
              taskmanager.heap.size: 1g
              jobmanager.web.port: 1
              query.server.port: 2
            """);

    assertThat(lines(jobManager(spec)))
        .contains("rest.port: 9081", "high-availability.type: kubernetes")
        .noneMatch(line -> line.startsWith("high-availability: "))
        .noneMatch(line -> line.contains("heap.size"))
        .noneMatch(line -> line.startsWith("jobmanager.web.port"))
        .noneMatch(line -> line.startsWith("query.server.port"));
  }

  @Test
  void noKeyIsThereTwice() {
    FlinkApplicationSpec spec =
        spec(
            """
            flinkVersion: "1.20"
            flinkConfig:
              high-availability: kubernetes
              kubernetes.cluster-id: a
              taskmanager.host: b
              jobmanager.rpc.address: c
            """);

    assertThat(lines(taskManager(spec)).stream().map(line -> line.split(":")[0]).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void nestedYamlMeansTheSame() {
    assertThat(jobManager(spec("flinkConfig: {state: {backend: {type: rocksdb}}}")))
        .isEqualTo(jobManager(spec("flinkConfig: {state.backend.type: rocksdb}")));
  }

  private static List<String> lines(String text) {
    return text.lines().filter(line -> !line.isEmpty()).toList();
  }

  private static String jobManager(FlinkApplicationSpec spec) {
    return FlinkProperties.of(spec, CLUSTER, "jobmanager");
  }

  private static String taskManager(FlinkApplicationSpec spec) {
    return FlinkProperties.of(spec, CLUSTER, "taskmanager");
  }

  private static FlinkApplicationSpec spec(String yaml) {
    return JSON.convertValue(
        new KubernetesSerialization().unmarshal(yaml, Map.class), FlinkApplicationSpec.class);
  }
}
