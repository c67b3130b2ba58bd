package dev.sluice.activities.manifest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.fuzz.FlinkDeployments;
import dev.sluice.testing.fuzz.FuzzCase;
import dev.sluice.testing.fuzz.FuzzRun;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Thousands of specs with wild values: they are rendered, or it is said what is wrong. */
class ManifestsFuzzTest {
  private static final Path REPOSITORY = Path.of("..");

  private final ApplicationManifests manifests = new ApplicationManifests();

  @Test
  void everySpecIsRenderedOrRefusedInWordsThatPeopleCanRead() {
    AtomicInteger rendered = new AtomicInteger();
    FuzzRun.forEach(
        FlinkDeployments.cases(REPOSITORY),
        fuzz ->
            read(fuzz)
                .ifPresent(
                    resource -> {
                      try {
                        check(manifests.render(target(resource)));
                        rendered.incrementAndGet();
                      } catch (IllegalArgumentException e) {
                        assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception");
                      }
                    }));

    assertThat(rendered.get()).isPositive();
  }

  private static void check(ClusterManifests rendered) {
    assertThat(rendered.deployment().getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(rendered.deployment().getSpec().getSelector().getMatchLabels());
    for (HasMetadata object : rendered.all()) {
      assertThat(Serialization.asJson(object)).isNotBlank();
    }
  }

  private static ClusterTarget target(FlinkDeployment resource) {
    return new ClusterTarget(
        "shop",
        resource.getMetadata().getName(),
        "uid-1",
        resource.getSpec(),
        7,
        Targets.JOB_ID,
        new StateRef.Savepoint("s3://b/savepoint-1"));
  }

  private static Optional<FlinkDeployment> read(FuzzCase fuzz) {
    try {
      return Optional.of(
          Serialization.jsonMapper().treeToValue(fuzz.mutated(), FlinkDeployment.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
