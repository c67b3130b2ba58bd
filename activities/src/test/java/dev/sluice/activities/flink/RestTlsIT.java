package dev.sluice.activities.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.activities.flink.FlinkRestException.Unreachable;
import dev.sluice.testing.Authority;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real Flink whose REST API takes TLS alone and wants to see a certificate. */
class RestTlsIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void a_Flink_with_mutual_TLS_answers_who_has_a_certificate(FlinkVersion version)
      throws Exception {
    Authority authority = new Authority();
    Certificates ofFlink = Certificates.issue(authority, folder.resolve("flink.p12"));
    Certificates own = Certificates.issue(authority, folder.resolve("sluice.p12"));
    AtomicReference<RestTls> tls = new AtomicReference<>(own.client());

    try (FlinkCluster flink =
            FlinkCluster.startJobManagerOnly(
                version, mutual(ofFlink.file()), () -> Optional.of(tls.get()));
        OkHttpFlinkJars jars =
            new OkHttpFlinkJars(
                MockFlink.BOUNDED,
                MockFlink.LOOPBACK,
                () -> Optional.of(tls.get()),
                MockFlink.BOUNDED.callTimeout())) {
      assertThat(flink.rest().overview(flink.endpoint()).flinkVersion())
          .isEqualTo(version.version());
      assertThat(jars.list(flink.endpoint())).isEmpty();

      tls.set(own.anonymous());
      assertThatThrownBy(() -> flink.rest().overview(flink.endpoint()))
          .isInstanceOf(Unreachable.class);
    }
  }

  private static Map<String, String> mutual(Path store) {
    Map<String, String> configuration = new HashMap<>();
    configuration.put("security.ssl.rest.enabled", "true");
    configuration.put("security.ssl.rest.authentication-enabled", "true");
    for (String kind : List.of("keystore", "truststore")) {
      configuration.put("security.ssl.rest." + kind, store.toString());
      configuration.put("security.ssl.rest." + kind + "-password", Certificates.PASSWORD);
    }
    configuration.put("security.ssl.rest.key-password", Certificates.PASSWORD);
    return configuration;
  }
}
