package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.revision.RevisionChoice;
import dev.sluice.activities.support.Deployed;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Generation 3 is deployed, and nothing is kept of what was before. */
class RollbackRequestTest {

  private static RevisionChoice choice(Map<String, String> annotations, String image) {
    FlinkDeployment resource = Deployed.orders("default");
    resource.getMetadata().setGeneration(4L);
    resource.getMetadata().setAnnotations(annotations);
    resource.setSpec(Deployed.SPEC.withImage(image));
    resource.setStatus(
        FlinkDeploymentStatus.EMPTY.withReconciliationStatus(
            ReconciliationStatus.EMPTY
                .withLastReconciledSpec(
                    new FrozenSpec(Deployed.SPEC.withImage("flink:2.3"), 3, false).toJson())
                .withState(ReconciliationState.DEPLOYED)));
    StoredResource stored = Stored.of(resource);
    return RollbackRequest.of(stored).choice(stored, List.of());
  }

  /** A run that is reset, or was started twice, after the request was answered. */
  @Test
  void whatNobodyAsksForAnyMoreChangesNothing() {
    assertThat(choice(Map.of(), "flink:2.3"))
        .isEqualTo(
            RevisionChoice.none("the annotation sluice.dev/rollback is not there (any more)"));
  }

  /** Somebody's abort was quicker, or a newer spec came meanwhile. */
  @Test
  void whereTheNewestSpecIsNotDeployedItMustBeSaidHowFarToGoBack() {
    assertThat(choice(Map.of(Annotations.ROLLBACK, "wrong totals"), "flink:2.9").problem())
        .startsWith("generation 4 is not what is deployed.");
    assertThat(
            choice(
                    Map.of(Annotations.ROLLBACK, "wrong totals", Annotations.ROLLBACK_TO, "2"),
                    "flink:2.9")
                .problem())
        .isEqualTo("no spec of generation '2' is kept");
  }
}
