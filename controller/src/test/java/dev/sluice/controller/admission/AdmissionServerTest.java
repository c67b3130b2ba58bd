package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.validation.Violation;
import dev.sluice.bootstrap.ConfigurationException;
import dev.sluice.testing.Authority;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionServerTest {

  private static final String DEPLOYMENT =
      """
      apiVersion: flink.apache.org/v1beta1
      kind: FlinkDeployment
      metadata: {name: %s}
      spec: {image: "%s"}
      """;

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Authority authority = new Authority();
  @TempDir private Path folder;
  private AdmissionSettings settings;
  private AdmissionServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    authority.issue(folder, 10, "EC");
    settings = settings(0);
    server = AdmissionServer.start(settings, admission(), registry);
    client = HttpClient.newBuilder().sslContext(authority.trust()).build();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private AdmissionSettings settings(int port) {
    return new AdmissionSettings(
        folder.resolve("tls.crt"),
        folder.resolve("tls.key"),
        Duration.ofMillis(100),
        "127.0.0.1",
        port,
        List.of());
  }

  /** The name says what becomes of it. */
  private static SpecAdmission admission() {
    CheckedKind<FlinkDeployment> kind =
        new CheckedKind<>(
            FlinkDeployment.class,
            it ->
                switch (it.getMetadata().getName()) {
                  case "good" -> new Verdict(List.of(), List.of("spec.a: has no effect"));
                  case "bad" ->
                      new Verdict(List.of(new Violation("spec.image", "is wrong")), List.of());
                  default -> throw new IllegalStateException("the rules have a defect");
                });
    return new SpecAdmission(List.of(kind), any -> true, Set.of(), new KubernetesSerialization());
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path));
  }

  private HttpResponse<String> post(String body) throws Exception {
    return client.send(
        to("/validate?timeout=5s").POST(BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private static String review(String name) {
    return ReviewJson.create(DEPLOYMENT.formatted(name, "flink"));
  }

  @Test
  void an_answer_has_the_uid_of_its_question_and_the_warnings() throws Exception {
    HttpResponse<String> answered = post(review("good"));

    assertThat(answered.statusCode()).isEqualTo(200);
    assertThat(answered.headers().firstValue("Content-Type")).hasValue("application/json");
    JsonNode review = JsonMapper.builder().build().readTree(answered.body());
    assertThat(review.path("apiVersion").asText()).isEqualTo("admission.k8s.io/v1");
    assertThat(review.path("kind").asText()).isEqualTo("AdmissionReview");
    assertThat(review.at("/response/uid").asText()).isEqualTo(ReviewJson.UID);
    assertThat(review.at("/response/allowed").asBoolean()).isTrue();
    assertThat(review.at("/response/warnings/0").asText()).isEqualTo("spec.a: has no effect");
  }

  @Test
  void a_refusal_is_an_answer_with_the_reason() throws Exception {
    HttpResponse<String> answered = post(review("bad"));

    assertThat(answered.statusCode()).isEqualTo(200);
    JsonNode response = JsonMapper.builder().build().readTree(answered.body()).path("response");
    assertThat(response.path("allowed").asBoolean(true)).isFalse();
    assertThat(response.at("/status/message").asText()).isEqualTo("spec.image: is wrong");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the body is no AdmissionReview",
        "no json|the body is no JSON",
        "{}{}|the body is no JSON",
        "[]|the body is no AdmissionReview",
        "null|the body is no AdmissionReview",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\",\"request\":{\"uid\":\"a\"}}|of admission.k8s.io/v1",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}|no request with a uid",
      })
  void what_is_no_review_is_an_error_that_says_so(String body, String said) throws Exception {
    HttpResponse<String> answered = post(body);

    assertThat(answered.statusCode()).isEqualTo(400);
    assertThat(answered.body()).contains(said);
    assertThat(count("other", "failed")).isEqualTo(1);
  }

  @Test
  void a_review_that_is_too_large_is_refused_unread() throws Exception {
    try (SSLSocket socket = connect()) {
      socket
          .getOutputStream()
          .write(
              "POST /validate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n"
                  .formatted(9 << 20)
                  .getBytes(StandardCharsets.US_ASCII));

      String said = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);

      assertThat(said).isEqualTo("HTTP/1.1 413");
    }
  }

  @Test
  void an_object_as_large_as_the_API_server_takes_is_checked() throws Exception {
    String image = "i".repeat(3 << 20);
    ObjectNode object = ReviewJson.yaml(DEPLOYMENT.formatted("bad", "old"));
    ObjectNode old = object.deepCopy();
    object.withObject("/spec").put("image", image);

    HttpResponse<String> answered = post(ReviewJson.of("UPDATE", object, old, request -> {}));

    assertThat(answered.body()).contains("spec.image: is wrong");
  }

  @Test
  void a_defect_of_the_rules_is_an_error_so_that_the_failure_policy_decides() throws Exception {
    assertThat(post(review("broken")).statusCode()).isEqualTo(500);
    assertThat(post(review("good")).statusCode()).isEqualTo(200);
  }

  @Test
  void only_posts_to_its_path_are_answered() throws Exception {
    assertThat(client.send(to("/validate").GET().build(), BodyHandlers.discarding()).statusCode())
        .isEqualTo(405);
    assertThat(client.send(to("/metrics").GET().build(), BodyHandlers.discarding()).statusCode())
        .isEqualTo(404);
  }

  @Test
  void requests_are_counted_by_kind_and_outcome() throws Exception {
    post(review("good"));
    post(review("bad"));
    post(review("bad"));
    post(review("good").replace("\"kind\":\"FlinkDeployment\"", "\"kind\":\"Surprise\""));

    assertThat(count("FlinkDeployment", "allowed")).isEqualTo(1);
    assertThat(count("FlinkDeployment", "denied")).isEqualTo(2);
    assertThat(count("other", "unchecked")).isEqualTo(1);
  }

  private long count(String kind, String outcome) {
    return registry
        .get("sluice.admission.requests")
        .tags("kind", kind, "outcome", outcome)
        .timer()
        .count();
  }

  @Test
  void a_rotated_certificate_is_shown_without_a_restart() throws Exception {
    assertThat(shown()).isEqualTo(10);
    double before = gauge("sluice.admission.certificate.expires.seconds");

    authority.issue(folder, 20, "EC");

    await().until(() -> shown() == 20);
    assertThat(post(review("good")).statusCode()).isEqualTo(200);
    assertThat(gauge("sluice.admission.certificate.expires.seconds"))
        .isEqualTo(before + Duration.ofDays(10).toSeconds(), within(3_600.0));
  }

  @Test
  void one_that_cannot_be_used_changes_nothing_and_is_told() throws Exception {
    Files.writeString(folder.resolve("tls.crt"), "half a certi");

    await().until(() -> gauge("sluice.admission.certificate.broken") == 1);
    assertThat(shown()).isEqualTo(10);

    authority.issue(folder, 11, "EC");
    await().until(() -> shown() == 11);
    await().until(() -> gauge("sluice.admission.certificate.broken") == 0);
  }

  @Test
  void a_wrong_certificate_at_the_start_is_a_wrong_setting() throws Exception {
    Files.writeString(folder.resolve("tls.crt"), "");

    assertThatThrownBy(() -> AdmissionServer.start(settings, admission(), registry))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("SLUICE_WEBHOOK_CERTIFICATE")
        .hasMessageContaining("tls.crt");
  }

  @Test
  void a_port_that_is_taken_is_named() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () -> AdmissionServer.start(settings(taken.getLocalPort()), admission(), registry))
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("SLUICE_WEBHOOK_PORT");
    }
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  /** Serial number of the certificate that a new client is shown. */
  private int shown() throws Exception {
    try (SSLSocket socket = connect()) {
      BigInteger serial =
          ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
      return serial.intValueExact();
    }
  }

  private SSLSocket connect() throws Exception {
    SSLSocket socket =
        (SSLSocket) authority.trust().getSocketFactory().createSocket("127.0.0.1", server.port());
    socket.startHandshake();
    return socket;
  }
}
