package dev.sluice.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.uber.m3.tally.NoopScope;
import io.temporal.client.WorkflowServiceException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemporalConnectionTest {

  @Test
  void takesAddressAndNamespaceAsTemporalsOwnToolsDo() {
    try (TemporalConnection connection =
        connect(Map.of("TEMPORAL_ADDRESS", "127.0.0.1:26999", "TEMPORAL_NAMESPACE", "flink"))) {

      assertThat(connection.display()).isEqualTo("127.0.0.1:26999 (namespace flink)");
      assertThat(connection.stubs().getOptions().getRpcTimeout()).isEqualTo(Duration.ofSeconds(3));
    }
  }

  @Test
  void withoutAnyValueItIsTheLocalServer() {
    try (TemporalConnection connection = connect(Map.of())) {

      assertThat(connection.display()).isEqualTo("127.0.0.1:7233 (namespace default)");
    }
  }

  @Test
  void aProfileThatDoesNotExistIsAConfigurationError() {
    Map<String, String> environment =
        Map.of("TEMPORAL_CONFIG_FILE", "/nowhere.toml", "TEMPORAL_PROFILE", "missing");

    assertThatThrownBy(() -> connect(environment))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("TEMPORAL_*");
  }

  @Test
  void aCallToATemporalThatDoesNotAnswerEndsWithItsTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TemporalConnection connection =
            connect(Map.of("TEMPORAL_ADDRESS", "127.0.0.1:" + silent.getLocalPort()))) {
      Instant begin = Instant.now();

      assertThatThrownBy(() -> connection.client().newUntypedWorkflowStub("lane").signal("retry"))
          .isInstanceOf(WorkflowServiceException.class);
      // by default the SDK tries for a minute
      assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(40));
    }
  }

  private static TemporalConnection connect(Map<String, String> environment) {
    return TemporalConnection.of(
        environment, Duration.ofSeconds(3), Duration.ofSeconds(3), new NoopScope());
  }
}
