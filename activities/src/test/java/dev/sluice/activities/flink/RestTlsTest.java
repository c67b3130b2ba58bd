package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.testing.Authority;
import dev.sluice.workflows.model.ClusterRef;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls to a Flink that takes TLS alone, with a certificate for {@code *.default}. */
class RestTlsTest {

  @TempDir private Path folder;
  private final MockFlink flink = new MockFlink();
  private final AtomicReference<Optional<RestTls>> tls = new AtomicReference<>(Optional.empty());
  private final OkHttpFlinkRest rest =
      new OkHttpFlinkRest(MockFlink.BOUNDED, MockFlink.LOOPBACK, tls::get);
  private Certificates certificates;

  @BeforeEach
  void secure() throws Exception {
    certificates = Certificates.issue(new Authority(), folder.resolve("flink.p12"));
    flink.server.useHttps(certificates.context(certificates.trusted()).getSocketFactory());
    flink.server.requestClientAuth();
    flink.answering(200, "{\"jobs\": []}");
  }

  @AfterEach
  void close() {
    rest.close();
    flink.close();
  }

  private static Endpoint endpoint(String namespace, int port) {
    return Endpoint.of(
        new ClusterRef(namespace, "orders"),
        port,
        FlinkConfiguration.of(Map.of("security.ssl.rest.enabled", "true")));
  }

  private JobsOverview jobs(String namespace) {
    return rest.jobsOverview(endpoint(namespace, flink.server.getPort()));
  }

  @Test
  void without_certificates_it_is_said_what_to_set_and_nothing_is_sent() {
    assertThatThrownBy(() -> jobs("default"))
        .isInstanceOf(Unreachable.class)
        .hasMessageContaining("default/orders has security.ssl.rest.enabled")
        .hasMessageContaining("SLUICE_FLINK_TLS_FOLDER");
    assertThat(flink.server.getRequestCount()).isZero();
  }

  @Test
  void Flink_sees_the_certificate_of_Sluice() throws Exception {
    tls.set(Optional.of(certificates.client()));

    assertThat(jobs("default").jobs()).isEmpty();
    assertThat(flink.asked().getHandshake().peerPrincipal()).hasToString("CN=issued");
  }

  @Test
  void a_Flink_of_another_authority_is_not_believed_until_the_certificates_are_replaced()
      throws Exception {
    Certificates other = Certificates.issue(new Authority(), folder.resolve("other.p12"));
    tls.set(Optional.of(other.client()));

    assertThatThrownBy(() -> jobs("default"))
        .isInstanceOf(Unreachable.class)
        .hasMessageContaining("SSLHandshakeException");

    tls.set(Optional.of(certificates.client()));
    assertThat(jobs("default").jobs()).isEmpty();
  }

  @Test
  void a_certificate_for_another_host_is_not_believed() throws Exception {
    tls.set(Optional.of(certificates.client()));

    assertThatThrownBy(() -> jobs("payments"))
        .isInstanceOf(Unreachable.class)
        .hasMessageContaining("Hostname orders-rest.payments not verified")
        .hasMessageNotContaining("\n");
  }
}
