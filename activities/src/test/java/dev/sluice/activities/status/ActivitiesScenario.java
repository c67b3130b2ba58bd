package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.BeforeRequest;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every operation writes of a FlinkDeployment {@code orders}, with the worker's rights. */
@ExtendWith(ApiServer.Extension.class)
abstract class ActivitiesScenario {

  final BeforeRequest requests = new BeforeRequest();
  KubernetesClient admin;
  KubernetesClient worker;
  String namespace;
  ResourceRef ref;
  ResourceActivitiesImpl activities;

  @BeforeEach
  void becomeTheWorker(ApiServer server) throws Exception {
    admin = server.client();
    namespace = server.namespace();
    worker = WorkerClient.of(server, requests);
    ref = Deployed.ref(admin.resource(Deployed.orders(namespace)).create());
    activities = activities(worker);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  static ResourceActivitiesImpl activities(KubernetesClient client) {
    return activities(client, new FakeFlink());
  }

  static ResourceActivitiesImpl activities(KubernetesClient client, FakeFlink flink) {
    return new ResourceActivitiesImpl(
        client,
        new ResourceStores(List.of(new FlinkDeploymentStore(client))),
        new ClusterAccess(new ClusterReader(client), new FakeView(), new TestClock()),
        flink,
        null,
        SessionJobSource.NONE,
        3);
  }

  final FreezeResult freeze(long generation) {
    return freeze(generation, false);
  }

  final FreezeResult freeze(long generation, boolean keepRecorded) {
    return activities.freezeTarget(
        Reports.freeze(Reports.RUN, ref, generation, keepRecorded, standing()));
  }

  final void record(RestorePoint recorded) {
    activities.recordState(
        new RecordStateRequest(
            ref, recorded, "DeleteCluster", "words", null, null, standing(), null));
  }

  final void recordState() {
    record(Reports.record(ref, new StateRef.Savepoint("file:/s")).recorded());
  }

  final void recordChosen(String usedRestoreFrom) {
    activities.recordState(
        Reports.record(ref, new StateRef.Savepoint("file:/s"), usedRestoreFrom, standing()));
  }

  final void markStable(long generation, String jobId) {
    activities.markStable(new StableRequest(report(OperationState.SUCCEEDED, generation), jobId));
  }

  /** The newest generation becomes stable; the job before it left that. */
  final void deployed(long generation, StateRef leftBefore) {
    freeze(generation);
    record(new RestorePoint(leftBefore, Refs.JOB_ID, Refs.OTHER_JOB_ID));
    markStable(generation, Refs.OTHER_JOB_ID);
  }

  final void threeGenerations() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, new StateRef.Savepoint("file:/left-by-1"));
    image("flink:2.4");
    deployed(3, new StateRef.Savepoint("file:/left-by-2"));
  }

  final OperationReport report(OperationState state, long generation) {
    return Reports.of(ref, Reports.RUN, state, "MarkStable", generation);
  }

  final Standing standing() {
    FlinkDeployment now = read();
    return now == null
        ? Reports.BEFORE
        : new FlinkDeploymentStore(admin).read(ref).observed().standing();
  }

  final void image(String image) {
    change(spec -> spec.withImage(image));
  }

  final void change(UnaryOperator<FlinkDeploymentSpec> change) {
    admin
        .resource(read())
        .edit(
            it -> {
              it.setSpec(change.apply(it.getSpec()));
              return it;
            });
  }

  final void annotate(String name, String value) {
    admin
        .resource(read())
        .edit(
            it -> {
              Map<String, String> all =
                  new HashMap<>(
                      Objects.requireNonNullElse(it.getMetadata().getAnnotations(), Map.of()));
              all.put(name, value);
              it.getMetadata().setAnnotations(all);
              return it;
            });
  }

  final Map<String, String> annotations() {
    return Objects.requireNonNullElse(read().getMetadata().getAnnotations(), Map.of());
  }

  final FlinkDeployment read() {
    return admin.resource(Deployed.orders(namespace)).get();
  }

  final String version() {
    return read().getMetadata().getResourceVersion();
  }

  /** Type of the failure of that call. */
  static String failure(Runnable call) {
    ApplicationFailure failure = catchThrowableOfType(ApplicationFailure.class, call::run);
    assertThat(failure).isNotNull();
    return failure.getType();
  }
}
