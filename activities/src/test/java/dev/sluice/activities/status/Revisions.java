package dev.sluice.activities.status;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.cluster.SessionJobSource;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.activities.support.WorkerClient;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.activity.StableRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A resource whose earlier specs are kept with the worker's own rights. */
@ExtendWith(ApiServer.Extension.class)
abstract class Revisions {

  static final RunRef ROLLBACK = new RunRef("Rollback", "lane", "run-2");

  static final int KEPT = 3;
  static final String ROLLED_BACK_JOB = "f".repeat(32);

  protected KubernetesClient admin;
  private KubernetesClient worker;
  protected ResourceRef ref;
  protected ResourceActivitiesImpl activities;

  @BeforeEach
  void becomeTheWorker(ApiServer server) throws Exception {
    admin = server.client();
    worker = WorkerClient.of(server);
    ref = Deployed.ref(admin.resource(Deployed.orders(server.namespace())).create());
    activities =
        new ResourceActivitiesImpl(
            worker,
            new ResourceStores(List.of(new FlinkDeploymentStore(worker))),
            new ClusterAccess(new ClusterReader(worker), new FakeView(), new TestClock()),
            new FakeFlink(),
            null,
            SessionJobSource.NONE,
            KEPT);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  /** The newest generation becomes stable; the job before it left that path. */
  final void deployed(long generation, StateRef leftBefore) {
    begun(generation, new RestorePoint(leftBefore, Refs.JOB_ID, Refs.OTHER_JOB_ID), false);
    stable(generation);
  }

  final void begun(long generation, RestorePoint recorded, boolean again) {
    Standing before = standing();
    activities.freezeTarget(Reports.plannedFor(before, Reports.freeze(ref, generation, again)));
    activities.recordState(
        new RecordStateRequest(ref, recorded, "DeleteCluster", "words", null, null, standing()));
  }

  final void stable(long generation) {
    stable(generation, Refs.OTHER_JOB_ID);
  }

  final void stable(long generation, String job) {
    activities.markStable(
        new StableRequest(
            Reports.of(ref, Reports.RUN, OperationState.SUCCEEDED, "MarkStable", generation), job));
  }

  final void threeGenerations() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, new StateRef.Savepoint("file:/left-by-1"));
    image("flink:2.4");
    deployed(3, new StateRef.Savepoint("file:/left-by-2"));
  }

  /** A person asks for it. */
  final FreezeResult rollBack() {
    annotate(Annotations.ROLLBACK, "wrong totals");
    return goBack();
  }

  final FreezeResult goBack() {
    return activities.freezeRevision(
        new FreezeRevisionRequest(
            Reports.of(ref, ROLLBACK, OperationState.RUNNING, "CancelJob", 3),
            Refs.OTHER_JOB_ID,
            ROLLED_BACK_JOB,
            standing()));
  }

  final List<ControllerRevision> revisions() {
    return admin
        .apps()
        .controllerRevisions()
        .inNamespace(ref.namespace())
        .list()
        .getItems()
        .stream()
        .sorted(Comparator.comparing(ControllerRevision::getRevision))
        .toList();
  }

  final Standing standing() {
    return new FlinkDeploymentStore(admin).read(ref).observed().standing();
  }

  final void image(String image) {
    admin
        .resource(read())
        .edit(
            it -> {
              it.setSpec(it.getSpec().withImage(image));
              return it;
            });
  }

  final void annotate(String name, String value) {
    admin
        .resource(read())
        .edit(
            it -> {
              Map<String, String> all = new HashMap<>();
              if (it.getMetadata().getAnnotations() != null) {
                all.putAll(it.getMetadata().getAnnotations());
              }
              all.put(name, value);
              it.getMetadata().setAnnotations(all);
              return it;
            });
  }

  final FlinkDeployment read() {
    return admin.resource(Deployed.orders(ref.namespace())).get();
  }
}
