package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.bootstrap.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The manifests of the chart fit to each other and to the controller. */
class WebhookManifestTest {

  private static final Path RENDERED = Path.of("../deploy/helm/rendered/production.yaml");

  private static JsonNode read(String kind, String name) throws IOException {
    return new YAMLMapper()
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(Files.readString(RENDERED))
            .readAll()
            .stream()
            .filter(it -> it.path("kind").asText().equals(kind))
            .filter(it -> it.at("/metadata/name").asText().equals(name))
            .findFirst()
            .orElseThrow();
  }

  private static JsonNode webhook() throws IOException {
    return read("ValidatingWebhookConfiguration", "sluice").at("/webhooks/0");
  }

  private static AdmissionSettings settings() {
    return AdmissionSettings.from(
            new Settings(
                Map.of(
                    "SLUICE_WEBHOOK_CERTIFICATE", "/tls.crt",
                    "SLUICE_WEBHOOK_KEY", "/tls.key",
                    "POD_NAMESPACE", "sluice-system")))
        .orElseThrow();
  }

  @Test
  void asks_about_each_kind_and_about_nothing_else() throws IOException {
    Set<String> asked = new TreeSet<>();
    for (JsonNode rule : webhook().path("rules")) {
      rule.path("resources")
          .forEach(it -> asked.add(rule.at("/apiGroups/0").asText() + "/" + it.asText()));
    }

    try (Stream<Path> definitions = Files.list(Path.of("../deploy/crds"))) {
      assertThat(asked)
          .isEqualTo(
              definitions
                  .map(it -> it.getFileName().toString().replace("-v1.yml", ""))
                  .map(it -> it.replaceFirst("([^.]*)[.](.*)", "$2/$1"))
                  .collect(Collectors.toSet()));
    }
  }

  @Test
  void fails_open_and_soon() throws IOException {
    assertThat(webhook().path("failurePolicy").asText()).isEqualTo("Ignore");
    assertThat(webhook().path("timeoutSeconds").asInt()).isEqualTo(5);
    assertThat(webhook().path("sideEffects").asText()).isEqualTo("None");
  }

  @Test
  void does_not_ask_about_what_Sluice_writes() throws IOException {
    assertThat(webhook().at("/matchConditions/0/expression").asText())
        .contains(settings().ownUsers());
  }

  @Test
  void leads_to_the_port_of_the_controller() throws IOException {
    JsonNode service = read("Service", "sluice-webhook");
    JsonNode deployment = read("Deployment", "sluice-controller");
    JsonNode container = deployment.at("/spec/template/spec/containers/0");

    assertThat(webhook().at("/clientConfig/service/name")).isEqualTo(service.at("/metadata/name"));
    assertThat(webhook().at("/clientConfig/service/path").asText()).isEqualTo(ReviewEndpoint.PATH);
    assertThat(service.at("/spec/selector")).isEqualTo(deployment.at("/spec/selector/matchLabels"));
    assertThat(container.path("ports"))
        .anyMatch(
            it ->
                it.path("name").equals(service.at("/spec/ports/0/targetPort"))
                    && it.path("containerPort").asInt() == settings().port());
  }

  @Test
  void has_its_certificate_where_the_controller_finds_it() throws IOException {
    JsonNode certificate = read("Certificate", "sluice-webhook");
    JsonNode pod = read("Deployment", "sluice-controller").at("/spec/template/spec");

    assertThat(certificate.at("/spec/dnsNames/0").asText())
        .isEqualTo("sluice-webhook.sluice-system.svc");
    assertThat(certificate.at("/spec/privateKey/encoding").asText()).isEqualTo("PKCS8");
    assertThat(pod.path("volumes"))
        .anyMatch(it -> it.at("/secret/secretName").equals(certificate.at("/spec/secretName")));
  }
}
