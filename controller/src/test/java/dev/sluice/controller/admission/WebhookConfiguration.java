package dev.sluice.controller.admission;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The configuration that the chart renders, for one namespace, and at an address of this machine.
 */
final class WebhookConfiguration implements AutoCloseable {

  private static final Path MANIFEST = Path.of("../deploy/helm/rendered/production.yaml");

  /** Longer than the committed one, after which the API server takes what is invalid. */
  private static final int LONGEST_SECONDS = 30;

  private final KubernetesClient client;
  private final ValidatingWebhookConfiguration configuration;

  private WebhookConfiguration(KubernetesClient client, ValidatingWebhookConfiguration it) {
    this.client = client;
    this.configuration = it;
  }

  /** As it is committed. */
  static ValidatingWebhookConfiguration committed(KubernetesClient client) {
    try (InputStream manifest = Files.newInputStream(MANIFEST)) {
      return client.load(manifest).items().stream()
          .filter(ValidatingWebhookConfiguration.class::isInstance)
          .map(ValidatingWebhookConfiguration.class::cast)
          .findFirst()
          .orElseThrow();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Applies it.
   *
   * @param policy null for the committed one
   */
  static WebhookConfiguration apply(
      KubernetesClient client, String namespace, int port, String bundle, String policy) {
    ValidatingWebhookConfiguration it = committed(client);
    it.getMetadata().setName("sluice-" + namespace);
    var webhook = it.getWebhooks().get(0);
    webhook.setClientConfig(
        new WebhookClientConfigBuilder()
            .withUrl("https://127.0.0.1:" + port + webhook.getClientConfig().getService().getPath())
            .withCaBundle(bundle)
            .build());
    webhook.setNamespaceSelector(
        new LabelSelectorBuilder()
            .addToMatchLabels("kubernetes.io/metadata.name", namespace)
            .build());
    webhook.setTimeoutSeconds(LONGEST_SECONDS);
    if (policy != null) {
      webhook.setFailurePolicy(policy);
    }
    client.resource(it).serverSideApply();
    return new WebhookConfiguration(client, it);
  }

  @Override
  public void close() {
    client.resource(configuration).delete();
  }
}
