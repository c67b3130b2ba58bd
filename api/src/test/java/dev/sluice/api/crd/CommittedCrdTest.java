package dev.sluice.api.crd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** People install what is committed, so it must be what the types say. */
class CommittedCrdTest {
  private static final String NAME = "flinkdeployments.flink.apache.org-v1.yml";
  private static final Path GENERATED = Path.of("target/classes/META-INF/fabric8", NAME);
  private static final Path COMMITTED = Path.of("../deploy/crds", NAME);

  @Test
  void theCommittedDefinitionIsTheGeneratedOne() throws IOException {
    assertThat(Files.readString(COMMITTED))
        .as(
            "deploy/crds/%s differs from what the types generate. Look at the difference, then run,"
                + " at the top of the repository: cp api/target/classes/META-INF/fabric8/%s"
                + " deploy/crds/",
            NAME, NAME)
        .isEqualTo(Files.readString(GENERATED));
  }

  /** {@code kubectl apply} keeps the whole object in an annotation, at most 256 KiB. */
  @Test
  void theDefinitionIsSmallEnoughForKubectlApply() throws IOException {
    assertThat(Files.size(COMMITTED)).isLessThan(60_000);
  }
}
