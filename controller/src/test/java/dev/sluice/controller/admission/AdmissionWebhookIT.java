package dev.sluice.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.controller.support.ControllerProcess;
import dev.sluice.local.parts.CacheDirectory;
import dev.sluice.local.parts.Tool;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.Authority;
import dev.sluice.testing.Patience;
import dev.sluice.testing.TestManifest;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The controller's process as the webhook of a real API server, with the committed configuration.
 */
@ExtendWith(ApiServer.Extension.class)
class AdmissionWebhookIT {

  private static final Path MANIFESTS = Path.of("../api/src/test/resources/manifests");
  private static final Pattern LISTENS = Pattern.compile("Admission webhook on 127.0.0.1:(\\d+)");

  private static final String VALID =
      """
      apiVersion: flink.apache.org/v1beta1
      kind: FlinkDeployment
      metadata: {name: %s}
      spec:
        image: flink:1.20
        flinkVersion: v1_20
        serviceAccount: flink
        jobManager: {resource: {memory: 2048m, cpu: 1}}
        taskManager: {resource: {memory: 2048m, cpu: 1}}
        job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
      """;

  /** It may be configured by its session cluster, which is not there. */
  private static final String NEEDS_ITS_CLUSTER =
      "sessionjob/invalid/savepoint-without-directories.yaml";

  /** The definition takes it. */
  private static final String INVALID =
      VALID.replace(
          "parallelism: 2, upgradeMode: stateless", "parallelism: 2, upgradeMode: savepoint");

  @TempDir private static Path folder;
  private static KubernetesClient client;
  private static String namespace;
  private static ControllerProcess controller;
  private static WebhookConfiguration configuration;
  private static GenericKubernetesResource olderThanTheWebhook;

  @BeforeAll
  static void start(ApiServer server) throws Exception {
    client = server.client();
    namespace = server.namespace();
    olderThanTheWebhook = create(INVALID.formatted("older"));
    Authority authority = new Authority();
    authority.issue(folder, 10, "Ed25519"); // a key such as the chart makes
    Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    controller =
        ControllerProcess.start(
            folder,
            Map.of(
                "KUBECONFIG",
                folder.resolve("kubeconfig").toString(),
                "SLUICE_WATCH_NAMESPACES",
                namespace,
                "POD_NAMESPACE",
                namespace,
                "SLUICE_WEBHOOK_CERTIFICATE",
                folder.resolve("tls.crt").toString(),
                "SLUICE_WEBHOOK_KEY",
                folder.resolve("tls.key").toString(),
                "SLUICE_WEBHOOK_PORT",
                "0"));
    await()
        .atMost(Patience.times(2))
        .failFast(() -> assertThat(controller.isAlive()).as(controller.said()).isTrue())
        .until(() -> controller.said().contains("starting workflows at"));
    Matcher listens = LISTENS.matcher(controller.said());
    assertThat(listens.find()).as(controller.said()).isTrue();
    configuration =
        WebhookConfiguration.apply(
            client, namespace, Integer.parseInt(listens.group(1)), authority.bundle(), null);
    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> dryRun(INVALID.formatted("probe")))
                    .hasMessageContaining("specs.sluice.dev"));
  }

  @AfterAll
  static void stop() {
    if (configuration != null) {
      configuration.close();
    }
    if (controller != null) {
      controller.close();
    }
  }

  private static GenericKubernetesResource create(String manifest) {
    return client
        .resource(Serialization.unmarshal(manifest, GenericKubernetesResource.class))
        .inNamespace(namespace)
        .create();
  }

  private static void dryRun(String manifest) {
    client
        .resource(Serialization.unmarshal(manifest, GenericKubernetesResource.class))
        .inNamespace(namespace)
        .dryRun()
        .create();
  }

  private static GenericKubernetesResource merge(GenericKubernetesResource to, String patch) {
    return client.resource(to).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  @Test
  void an_invalid_spec_is_refused_with_the_path_of_each_field() {
    KubernetesClientException refused =
        catchThrowableOfType(
            KubernetesClientException.class, () -> create(INVALID.formatted("refused")));

    assertThat(refused.getCode()).isEqualTo(422);
    assertThat(refused.getStatus().getDetails().getCauses())
        .extracting(StatusCause::getField)
        .containsExactlyInAnyOrder(
            "spec.flinkConfiguration.state.checkpoints.dir",
            "spec.flinkConfiguration.state.savepoints.dir");
    assertThat(refused)
        .hasMessageContaining("admission webhook \"specs.sluice.dev\" denied the request")
        .hasMessageContaining("state.savepoints.dir: must be given");
  }

  @Test
  void what_has_no_effect_is_told_to_whoever_sends_it() throws Exception {
    String manifest =
        VALID
            .formatted("warned")
            .replace(
                "image: flink:1.20",
                "image: flink:1.20\n  flinkConfiguration: {kubernetes.operator.reconcile.interval: 15 s}");

    String said = kubectl(manifest, 0);

    assertThat(said)
        .contains("Warning: spec.flinkConfiguration.kubernetes.operator.reconcile.interval: ")
        .contains("flinkdeployment.flink.apache.org/warned created");
  }

  private static String kubectl(String manifest, int exitCode) throws Exception {
    Process process =
        new ProcessBuilder(
                CacheDirectory.ofThisUser().binary(Tool.KUBECTL).toString(),
                "--kubeconfig=" + folder.resolve("kubeconfig"),
                "--namespace=" + namespace,
                "apply",
                "--filename=-")
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().write(manifest.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exitCode);
    return said;
  }

  @Test
  void an_object_that_is_invalid_already_can_be_changed_in_all_but_its_spec() {
    merge(olderThanTheWebhook, "{\"metadata\":{\"annotations\":{\"team\":\"streams\"}}}");
    merge(olderThanTheWebhook, "{\"metadata\":{\"finalizers\":[\"example.com/held\"]}}");
    client
        .resource(olderThanTheWebhook)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"error\":\"test\"}}");
    assertThatThrownBy(() -> merge(olderThanTheWebhook, "{\"spec\":{\"image\":\"flink:1.20.1\"}}"))
        .hasMessageContaining("specs.sluice.dev");

    GenericKubernetesResource corrected =
        merge(olderThanTheWebhook, "{\"spec\":{\"job\":{\"upgradeMode\":\"stateless\"}}}");
    client.resource(corrected).delete();
    GenericKubernetesResource released =
        merge(
            corrected,
            "{\"metadata\":{\"finalizers\":[]},\"spec\":{\"job\":{\"upgradeMode\":\"savepoint\"}}}");

    assertThat(released.getMetadata().getFinalizers()).isEmpty();
  }

  @Test
  void the_controller_itself_is_not_in_its_own_way() {
    create(VALID.formatted("own"));

    await()
        .atMost(Patience.times(2))
        .until(
            () -> {
              var stored =
                  client
                      .genericKubernetesResources("flink.apache.org/v1beta1", "FlinkDeployment")
                      .inNamespace(namespace)
                      .withName("own")
                      .require();
              return !stored.getMetadata().getFinalizers().isEmpty()
                  && stored.getAdditionalProperties().containsKey("status");
            });
  }

  static Stream<TestManifest> manifests(String folder) {
    try (Stream<Path> files = Files.walk(MANIFESTS)) {
      return files
          .filter(it -> it.toString().endsWith(".yaml"))
          .filter(it -> it.getParent().getFileName().toString().equals(folder))
          // the webhook is not asked about FlinkApplications, which are not run yet
          .filter(it -> !it.startsWith(MANIFESTS.resolve("application")))
          .sorted()
          .map(TestManifest::read)
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void each_valid_manifest_of_each_kind_is_taken() {
    List<String> refused = new ArrayList<>();
    manifests("valid")
        .forEach(
            manifest -> {
              try {
                dryRun(manifest.text());
              } catch (Exception wrong) {
                refused.add(manifest + ": " + wrong.getMessage());
              }
            });

    assertThat(refused).isEmpty();
  }

  @Test
  void each_invalid_manifest_of_each_kind_is_refused_with_its_field() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (TestManifest manifest : manifests("invalid").toList()) {
      if (manifest.after().isEmpty() && !manifest.file().endsWith(NEEDS_ITS_CLUSTER)) {
        wrong.addAll(notRefused(manifest));
      }
    }

    assertThat(wrong).isEmpty();
  }

  /** By the definition where the manifest says so, else by the webhook. */
  private static List<String> notRefused(TestManifest manifest) {
    List<String> expected = manifest.apiServer().map(List::of).orElseGet(manifest::expected);
    try {
      dryRun(manifest.text());
      return List.of(manifest + " was taken");
    } catch (RuntimeException refused) {
      return expected.stream()
          .filter(it -> !refused.getMessage().contains(it))
          .map(it -> "%s: %s is not in %s".formatted(manifest, it, refused.getMessage()))
          .toList();
    }
  }
}
