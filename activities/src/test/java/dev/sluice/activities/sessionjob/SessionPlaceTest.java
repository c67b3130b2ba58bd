package dev.sluice.activities.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a job waits for before it is sent to its session cluster. */
class SessionPlaceTest {

  private @Nullable FlinkDeployment host = SessionJobs.cluster(Map.of());
  private @Nullable Deployment deployment =
      new DeploymentBuilder()
          .withNewMetadata()
          .withName("orders")
          .withOwnerReferences(new OwnerReferenceBuilder().withUid(SessionJobs.CLUSTER_UID).build())
          .endMetadata()
          .build();

  private Optional<String> waitsFor() {
    SessionPlace place = new SessionPlace(host == null ? null : Stored.of(host));
    Optional<ResourceRef> ref =
        host == null
            ? Optional.empty()
            : Optional.of(
                new ResourceRef(
                    Refs.RESOURCE.kubernetes(),
                    FlinkDeployment.KIND,
                    "default",
                    "orders",
                    SessionJobs.CLUSTER_UID));
    return SessionPlace.waitsFor(
        "orders",
        place,
        ref,
        () ->
            new ClusterObjects(
                Optional.ofNullable(deployment), Optional.empty(), List.of(), List.of()));
  }

  private void reconciliation(ReconciliationStatus status) {
    FlinkDeployment there = Objects.requireNonNull(host);
    there.setStatus(there.getStatus().withReconciliationStatus(status));
  }

  private ReconciliationStatus reconciliation() {
    return Objects.requireNonNull(Objects.requireNonNull(host).getStatus().reconciliationStatus());
  }

  @Test
  void aClusterThatIsDeployedIsAsked() {
    assertThat(waitsFor()).isEmpty();
  }

  @Test
  void aDeploymentThatDoesNotExistIsAwaited() {
    host = null;

    assertThat(waitsFor())
        .contains("FlinkDeployment orders does not exist. Create it, without spec.job");
  }

  @Test
  void noJobIsSentToAClusterThatIsBeingDeleted() {
    Objects.requireNonNull(host).getMetadata().setDeletionTimestamp("2026-11-23T22:00:00Z");

    assertThat(waitsFor()).contains("FlinkDeployment orders is being deleted");
  }

  @Test
  void noJobIsSentToAnApplication() {
    reconciliation(
        reconciliation().withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson()));

    assertThat(waitsFor())
        .contains(
            "FlinkDeployment orders is no session cluster: it has a job of its own. Name another"
                + " one in spec.deploymentName of the FlinkSessionJob; if its job was deployed"
                + " before, delete the FlinkSessionJob and create it again instead");
  }

  @Test
  void aClusterThatWasNeverDeployedIsAwaited() {
    Objects.requireNonNull(host).setStatus(FlinkDeploymentStatus.EMPTY);

    assertThat(waitsFor()).contains("FlinkDeployment orders is not deployed yet");
  }

  @Test
  void noJobIsSentToAClusterThatIsAboutToBeReplaced() {
    reconciliation(reconciliation().withState(ReconciliationState.UPGRADING));

    assertThat(waitsFor()).contains("FlinkDeployment orders is being upgraded");
  }

  @Test
  void aJobManagerThatIsMissingIsAwaited() {
    deployment = null;

    assertThat(waitsFor())
        .contains(
            "the session cluster of FlinkDeployment orders is not there: the JobManager Deployment"
                + " is missing");
  }
}
