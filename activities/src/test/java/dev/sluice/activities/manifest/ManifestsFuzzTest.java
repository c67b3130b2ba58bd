package dev.sluice.activities.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.validation.SpecValidation;
import dev.sluice.testing.fuzz.FlinkDeployments;
import dev.sluice.testing.fuzz.FuzzCase;
import dev.sluice.testing.fuzz.FuzzRun;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Thousands of specs with wild values: what validation accepts can be rendered. */
class ManifestsFuzzTest {
  private static final Path REPOSITORY = Path.of("..");

  private final NativeApplicationManifests manifests = new NativeApplicationManifests();

  @Test
  void everySpecThatIsAcceptedIsRenderedAndNoOtherFailsUnreadably() {
    AtomicInteger accepted = new AtomicInteger();
    FuzzRun.forEach(
        FlinkDeployments.cases(REPOSITORY),
        fuzz ->
            read(fuzz)
                .ifPresent(
                    resource -> {
                      if (SpecValidation.validate(resource, null).isEmpty()) {
                        accepted.incrementAndGet();
                        check(manifests.render(target(resource)));
                      } else {
                        checkRefused(resource);
                      }
                    }));

    assertThat(accepted.get()).isPositive();
  }

  private static void check(ClusterManifests rendered) {
    assertThat(rendered.deployment().getSpec().getTemplate().getMetadata().getLabels())
        .containsAllEntriesOf(rendered.deployment().getSpec().getSelector().getMatchLabels());
  }

  /** It may have been frozen when there were other rules. */
  private void checkRefused(FlinkDeployment resource) {
    try {
      check(manifests.render(target(resource)));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception");
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
        new Restore.FromSavepoint("s3://b/savepoint-1"));
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
