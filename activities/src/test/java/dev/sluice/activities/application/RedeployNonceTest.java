package dev.sluice.activities.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.application.ApplicationPhase;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationStatus;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.VersionLimits;
import dev.sluice.workflows.application.VersionRef;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a nonce asks for a job that starts from what the spec names. */
class RedeployNonceTest {

  private static final VersionRef DEPLOYED = Applications.version("aaaaaaaaaa", null, "job-1");

  private static @Nullable Long asks(@Nullable Long nonce, @Nullable Long used) {
    FlinkApplication resource = new FlinkApplication();
    resource.setMetadata(new ObjectMeta());
    resource.setSpec(Applications.SPEC.withSavepointRedeployNonce(nonce));
    resource.setStatus(
        ApplicationStatuses.with(
            FlinkApplicationStatus.EMPTY,
            ApplicationRecord.NONE
                .in(ApplicationPhase.RUNNING)
                .with(DEPLOYED, null)
                .redeploying(used),
            Map.of(
                ApplicationStatuses.key(DEPLOYED),
                VersionFreeze.document(
                    new StoredApplication(Applications.RESOURCE, deployed()), false)),
            Instant.EPOCH));
    return new WantedVersion(
            new StoredApplication(Applications.RESOURCE, resource),
            new ApplicationRules(valid -> List.of(), VersionLimits.DEFAULT))
        .wanted()
        .state()
        .redeployNonce();
  }

  private static FlinkApplication deployed() {
    FlinkApplication resource = new FlinkApplication();
    resource.setMetadata(new ObjectMeta());
    resource.setSpec(Applications.SPEC.withSavepointRedeployNonce(3L));
    return resource;
  }

  @Test
  void anotherNonceThanThatOfTheDeployedVersionAsks() {
    assertThat(asks(4L, null)).isEqualTo(4);
    assertThat(asks(3L, null)).isNull();
    assertThat(asks(null, null)).isNull();
  }

  /** The deployment that it was for has failed, and the old version runs again. */
  @Test
  void aNonceThatWasUsedAsksNoMore() {
    assertThat(asks(4L, 4L)).isNull();
    assertThat(asks(5L, 4L)).isEqualTo(5);
  }

  /** What Lyft's operator has deployed is not in the status yet when its cluster is gone. */
  @Test
  void aNonceAsksWhereNothingIsKnownToBeDeployed() {
    FlinkApplication resource = new FlinkApplication();
    resource.setSpec(Applications.SPEC.withSavepointRedeployNonce(7L));
    resource.setStatus(FlinkApplicationStatus.EMPTY);

    assertThat(
            new WantedVersion(
                    new StoredApplication(Applications.RESOURCE, resource),
                    new ApplicationRules(valid -> List.of(), VersionLimits.DEFAULT))
                .wanted()
                .state()
                .redeployNonce())
        .isEqualTo(7);
  }
}
