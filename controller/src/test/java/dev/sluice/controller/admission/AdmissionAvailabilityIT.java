package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.validation.Violation;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Authority;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the API server does without the webhook, or when its certificate is another one. */
@ExtendWith(ApiServer.Extension.class)
class AdmissionAvailabilityIT {

  private static final String DEPLOYMENT =
      """
      apiVersion: flink.apache.org/v1beta1
      kind: FlinkDeployment
      metadata: {name: %s}
      spec:
        image: %s
        flinkVersion: v1_20
        serviceAccount: flink
      """;

  private static final String REFUSED = "the webhook says no";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Authority authority = new Authority();
  @TempDir private Path folder;
  private KubernetesClient client;
  private String namespace;
  private AdmissionServer server;

  @BeforeEach
  void start(ApiServer api) throws Exception {
    // "connection refused" is an error of the API server, which the client would try again
    client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(api.config()).withRequestRetryBackoffLimit(0).build())
            .build();
    namespace = api.namespace();
    authority.issue(folder, 10, "EC");
    server =
        AdmissionServer.start(
            new AdmissionSettings(
                folder.resolve("tls.crt"),
                folder.resolve("tls.key"),
                Duration.ofMillis(100),
                "127.0.0.1",
                0,
                List.of()),
            admission(),
            registry);
  }

  @AfterEach
  void stop() {
    server.close();
    client.close();
  }

  private static SpecAdmission admission() {
    CheckedKind<FlinkDeployment> kind =
        new CheckedKind<>(
            FlinkDeployment.class,
            it ->
                new Verdict(
                    "refuse".equals(it.getSpec().image())
                        ? List.of(new Violation("spec.image", REFUSED))
                        : List.of(),
                    List.of()));
    return new SpecAdmission(List.of(kind), any -> true, Set.of(), new KubernetesSerialization());
  }

  private WebhookConfiguration configured(String policy) {
    WebhookConfiguration configuration =
        WebhookConfiguration.apply(client, namespace, server.port(), authority.bundle(), policy);
    await()
        .untilAsserted(
            () -> assertThatThrownBy(() -> dryRun("refuse")).hasMessageContaining(REFUSED));
    return configuration;
  }

  private GenericKubernetesResource resource(String image) {
    return Serialization.unmarshal(
        DEPLOYMENT.formatted("orders", image), GenericKubernetesResource.class);
  }

  private void dryRun(String image) {
    client.resource(resource(image)).inNamespace(namespace).dryRun().create();
  }

  private GenericKubernetesResource merge(GenericKubernetesResource to, String patch) {
    return client.resource(to).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  @Test
  void without_the_webhook_Ignore_stores_everything() {
    try (WebhookConfiguration ignore = configured("Ignore")) {
      server.close();

      GenericKubernetesResource created =
          client.resource(resource("refuse")).inNamespace(namespace).create();

      assertThat(created.getMetadata().getUid()).isNotEmpty();
    }
  }

  @Test
  void without_the_webhook_Fail_stores_no_spec_and_says_why_but_takes_all_else() {
    GenericKubernetesResource held =
        client.resource(resource("flink:1.20")).inNamespace(namespace).create();
    try (WebhookConfiguration fail = configured("Fail")) {
      server.close();

      assertThatThrownBy(() -> merge(held, "{\"spec\":{\"image\":\"flink:1.20.1\"}}"))
          .hasMessageContaining("failed calling webhook \"specs.sluice.dev\"")
          .hasMessageContaining("connection refused");
      merge(held, "{\"metadata\":{\"annotations\":{\"sluice.dev/abort\":\"now\"}}}");
      merge(held, "{\"metadata\":{\"finalizers\":[\"example.com/held\"]}}");
      client
          .resource(held)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"error\":\"test\"}}");
      client.resource(held).delete();
      merge(held, "{\"metadata\":{\"finalizers\":[]}}");
      assertThat(client.resource(held).get()).isNull();
    }
  }
}
