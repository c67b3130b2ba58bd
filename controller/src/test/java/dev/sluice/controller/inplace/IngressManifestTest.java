package dev.sluice.controller.inplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.controller.common.KubernetesCluster;
import dev.sluice.controller.inplace.IngressManifest.Backend;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** After a wanted change, run with {@code -Dgolden.update=true} and read the diff. */
class IngressManifestTest {

  private static final Path GOLDEN = Path.of("src/test/resources/ingress");
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  @ParameterizedTest
  @MethodSource("cases")
  void rendersWhatIsKept(Path folder) throws IOException {
    FlinkDeployment resource = read(folder);
    Path out = folder.resolve("out.yaml");

    String rendered =
        SERIALIZATION.asYaml(
            IngressManifest.of(
                new KubernetesCluster("kubernetes-1").ref(resource),
                resource.getSpec().ingress(),
                Backend.rest(resource.getMetadata().getName(), 8081)));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(out, rendered);
    }
    assertThat(rendered).isEqualTo(Files.readString(out));
  }

  @Test
  void hasEnoughCases() {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void nothingIsMadeWithoutATemplate() {
    FlinkDeployment resource = read(GOLDEN.resolve("host"));
    var none = SERIALIZATION.unmarshal("{}", dev.sluice.api.deployment.IngressSpec.class);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                IngressManifest.of(
                    new KubernetesCluster("kubernetes-1").ref(resource),
                    none,
                    Backend.rest("orders", 8081)))
        .withMessageContaining("spec.ingress.template");
  }

  static List<Path> cases() {
    try (Stream<Path> folders = Files.list(GOLDEN)) {
      return folders.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FlinkDeployment read(Path folder) {
    try {
      return SERIALIZATION.unmarshal(
          Files.readString(folder.resolve("in.yaml")), FlinkDeployment.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
