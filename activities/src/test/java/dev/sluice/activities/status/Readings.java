package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterObjects;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.workflows.model.JobObservation.Ended;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An API server with one resource and its cluster, as the test says they are. */
final class Readings implements Supplier<Reading> {

  final FlinkDeployment resource = Deployed.orders("default");
  final List<Pod> pods = new ArrayList<>();
  @Nullable Deployment deployment;
  @Nullable RuntimeException failure;
  int count;

  private final Clock clock;
  private final List<ConfigMap> configMaps = new ArrayList<>();

  Readings(Clock clock) {
    this.clock = clock;
    resource.getMetadata().setUid(Refs.UID);
    resource.getMetadata().setGeneration(1L);
  }

  /** The configuration of a cluster for that job was applied. */
  void prepared(String jobId) {
    configMaps.add(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("flink-config-orders")
            .addToAnnotations(Annotations.JOB_ID, jobId)
            .withOwnerReferences(new OwnerReferenceBuilder().withUid(Refs.UID).build())
            .endMetadata()
            .build());
  }

  @Override
  public Reading get() {
    count++;
    if (failure != null) {
      throw failure;
    }
    return Reading.of(
        Refs.RESOURCE,
        Stored.of(resource),
        new ClusterObjects(Optional.ofNullable(deployment), Optional.empty(), pods, configMaps),
        SessionJobSource.NONE,
        clock.instant());
  }

  static Deployment deployment(String uid, String jobId) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("orders")
        .withUid(uid)
        .addToAnnotations(Annotations.JOB_ID, jobId)
        .withOwnerReferences(new OwnerReferenceBuilder().withUid(Refs.UID).build())
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .endSpec()
        .build();
  }

  /** The status says that the job has ended. */
  void ended(Ended job) {
    resource.setStatus(
        resource.getStatus().withEndedJob(OwnedStatus.EMPTY.withEnd(job, clock.instant()).ended()));
  }

  /** High availability is on in the spec that runs. */
  void highlyAvailable() {
    FlinkDeploymentSpec spec = resource.getSpec();
    FlinkDeploymentSpec available =
        spec.withConfiguration(
            spec.configuration()
                .withAll(
                    Map.of(
                        "high-availability.type",
                        "kubernetes",
                        "high-availability.storageDir",
                        "s3://b/ha")));
    String json = new FrozenSpec(available, 1, false).toJson();
    resource.setStatus(
        resource
            .getStatus()
            .withReconciliationStatus(
                ReconciliationStatus.EMPTY
                    .withState(ReconciliationState.DEPLOYED)
                    .withLastReconciledSpec(json)
                    .withLastStableSpec(json)));
  }

  /** Another job is started from what it left. */
  void startedNext(String jobId) {
    resource.setStatus(
        resource
            .getStatus()
            .withRecordedState(
                new RecordedState(
                    RecordedState.Type.SAVEPOINT, "file:/s", null, Refs.JOB_ID, jobId)));
  }

  static Deployment scaledToNothing() {
    return new DeploymentBuilder(deployment("deployment-1", Refs.JOB_ID))
        .editSpec()
        .withReplicas(0)
        .endSpec()
        .build();
  }
}
