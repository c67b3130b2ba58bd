package dev.sluice.controller.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.testing.ApiServer;
import dev.sluice.testing.TestManifest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server itself says to FlinkBlueGreenDeployments. */
@ExtendWith(ApiServer.Extension.class)
class BlueGreenRulesIT {

  private static final Path FOLDER = Path.of("../api/src/test/resources/manifests/bluegreen");

  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void open(ApiServer server) {
    client = server.client();
    namespace = server.namespace();
  }

  static Stream<TestManifest> valid() {
    return TestManifest.in(FOLDER.resolve("valid"));
  }

  static Stream<TestManifest> invalid() {
    return TestManifest.in(FOLDER.resolve("invalid"));
  }

  /** As people send it, not as our types read it. */
  private FlinkBlueGreenDeployment create(TestManifest manifest) throws IOException {
    var unread =
        client.load(Files.newInputStream(manifest.file())).inNamespace(namespace).create().get(0);
    return Serialization.unmarshal(Serialization.asJson(unread), FlinkBlueGreenDeployment.class);
  }

  private FlinkBlueGreenDeployment merge(FlinkBlueGreenDeployment to, String patch) {
    return client.resource(to).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("valid")
  void aValidManifestIsTakenAsItIs(TestManifest manifest) throws IOException {
    FlinkBlueGreenDeployment created = create(manifest);

    assertThat(created.getSpec())
        .isEqualTo(
            Serialization.unmarshal(manifest.text(), FlinkBlueGreenDeployment.class).getSpec());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("invalid")
  void anInvalidManifestIsRefusedWhereTheManifestSaysSo(TestManifest manifest) throws IOException {
    Optional<String> told = manifest.apiServer();

    if (told.isPresent()) {
      assertThatThrownBy(() -> create(manifest))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining(told.get());
    } else {
      assertThat(create(manifest).getMetadata().getUid()).isNotNull();
    }
  }

  @Test
  void aRedeployNeedsASavepointToStartFromOnceSomethingWasReached() throws IOException {
    FlinkBlueGreenDeployment created =
        create(TestManifest.read(FOLDER.resolve("valid/basic.yaml")));
    String nonce =
        "{\"spec\":{\"template\":{\"spec\":{\"job\":{\"savepointRedeployNonce\":%d%s}}}}}";
    merge(created, nonce.formatted(1, ""));
    created.setStatus(
        created
            .getStatus()
            .withLastReconciledSpec(new FrozenBlueGreen(created.getSpec(), 1).toJson()));
    client
        .resource(created)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\":" + Serialization.asJson(created.getStatus()) + "}");

    assertThatThrownBy(() -> merge(created, nonce.formatted(2, "")))
        .hasMessageContaining("spec.template.spec.job.initialSavepointPath")
        .hasMessageContaining("must name the savepoint to redeploy from");

    assertThat(merge(created, nonce.formatted(2, ",\"initialSavepointPath\":\"s3://a/b\"")))
        .isNotNull();
  }

  @Test
  void anUnknownFieldIsNotKept() throws IOException {
    FlinkBlueGreenDeployment created =
        create(TestManifest.read(FOLDER.resolve("valid/basic.yaml")));

    merge(created, "{\"spec\":{\"template\":{\"spec\":{\"nonsense\":1}}}}");

    assertThat(
            Serialization.asJson(
                client
                    .genericKubernetesResources(
                        FlinkBlueGreenDeployment.API_VERSION, FlinkBlueGreenDeployment.KIND)
                    .inNamespace(namespace)
                    .withName("basic")
                    .get()))
        .doesNotContain("nonsense");
  }
}
