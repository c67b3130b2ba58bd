package dev.sluice.activities.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.resource.Observation;
import dev.sluice.workflows.resource.Observation.JobSeen;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObservationsTest {

  private static final String KEY = "kubernetes.operator.job.savepoint-on-deletion";

  @ParameterizedTest
  @CsvSource({
    "true, 600000",
    "TRUE, 600000",
    "false, 0",
    "'', 0",
    "yes, 600000", // not readable: the state is kept rather than lost
  })
  void theNewestSpecSaysWhetherADeletionBeginsWithASavepoint(String value, long millis) {
    FlinkDeployment resource = deployed();
    resource.setSpec(
        Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().with(KEY, value)));

    assertThat(seen(resource).deletionSavepointMs()).isEqualTo(millis);
  }

  @Test
  void aDeletionIsNotAskedToTakeASavepointUnlessItSaysSo() {
    assertThat(seen(deployed()).deletionSavepointMs()).isZero();
  }

  @Test
  void whatWasNeverDeployedHasNothingToSave() {
    FlinkDeployment resource = deployed();
    resource.setSpec(
        Deployed.SPEC.withConfiguration(Deployed.SPEC.configuration().with(KEY, "true")));
    resource.setStatus(FlinkDeploymentStatus.EMPTY);

    assertThat(seen(resource).deletionSavepointMs()).isZero();
  }

  private static FlinkDeployment deployed() {
    FlinkDeployment resource = Deployed.orders("default");
    OwnedStatus frozen =
        TargetChange.freeze(
            OwnedStatus.of(FlinkDeploymentStatus.EMPTY),
            Deployed.SPEC,
            1,
            Reports.freeze(Refs.ORDERS, false),
            Instant.parse("2026-11-21T08:00:00Z"));
    resource.setStatus(frozen.alone());
    return resource;
  }

  private static Observation seen(FlinkDeployment resource) {
    return Observations.of(resource, null, List.of(), JobSeen.UNKNOWN);
  }
}
