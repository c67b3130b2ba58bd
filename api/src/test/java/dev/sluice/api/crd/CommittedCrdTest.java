package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People install what is committed, so it must be what the types say. */
class CommittedCrdTest {
  private static final Path GENERATED = Path.of("target/classes/META-INF/fabric8");
  private static final Path COMMITTED = Path.of("../deploy");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "crds/flinkdeployments.flink.apache.org-v1.yml",
        "crds/flinkstatesnapshots.flink.apache.org-v1.yml",
        "crds/flinksessionjobs.flink.apache.org-v1.yml",
        "crds/flinkbluegreendeployments.flink.apache.org-v1.yml",
        "preview/flinkapplications.flink.k8s.io-v1.yml"
      })
  void theCommittedDefinitionIsTheGeneratedOne(String name) throws IOException {
    Path file = Path.of(name).getFileName();

    assertThat(Files.readString(COMMITTED.resolve(name)))
        .as(
            "deploy/%s differs from what the types generate. Look at the difference, then run,"
                + " at the top of the repository: cp api/target/classes/META-INF/fabric8/%s"
                + " deploy/%s",
            name, file, name)
        .isEqualTo(Files.readString(GENERATED.resolve(file)));
    // kubectl apply keeps the whole object in an annotation of at most 256 KiB
    assertThat(Files.size(COMMITTED.resolve(name))).isLessThan(64_000);
  }
}
