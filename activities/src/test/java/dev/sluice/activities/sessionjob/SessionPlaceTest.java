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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static Arguments awaited(Consumer<SessionPlaceTest> world, @Nullable String words) {
    return Arguments.of(world, words);
  }

  static Stream<Arguments> worlds() {
    String orders = "FlinkDeployment orders ";
    return Stream.of(
        awaited(it -> {}, null),
        awaited(it -> it.host = null, orders + "does not exist. Create it, without spec.job"),
        awaited(
            it ->
                Objects.requireNonNull(it.host)
                    .getMetadata()
                    .setDeletionTimestamp("2026-11-23T22:00:00Z"),
            orders + "is being deleted"),
        awaited(
            it ->
                it.reconciliation(
                    it.reconciliation()
                        .withLastReconciledSpec(new FrozenSpec(Deployed.SPEC, 1, true).toJson())),
            orders + "is no session cluster: it has a job of its own."),
        awaited(
            it -> Objects.requireNonNull(it.host).setStatus(FlinkDeploymentStatus.EMPTY),
            orders + "is not deployed yet"),
        awaited(
            it -> it.reconciliation(it.reconciliation().withState(ReconciliationState.UPGRADING)),
            orders + "is being upgraded"),
        awaited(
            it -> it.deployment = null,
            "the session cluster of FlinkDeployment orders is not there: the JobManager Deployment"
                + " is missing"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("worlds")
  void aJobIsSentOnceItsClusterTakesJobs(Consumer<SessionPlaceTest> world, @Nullable String words) {
    world.accept(this);

    assertThat(waitsFor().orElse("")).startsWith(words == null ? "" : words);
    assertThat(waitsFor().isEmpty()).isEqualTo(words == null);
  }
}
