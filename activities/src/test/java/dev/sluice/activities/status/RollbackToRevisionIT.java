package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.cluster.ClusterReader;
import dev.sluice.activities.deployment.FlinkDeploymentStore;
import dev.sluice.activities.resource.ResourceStores;
import dev.sluice.activities.support.Deployed;
import dev.sluice.activities.support.FakeFlink;
import dev.sluice.activities.support.FakeView;
import dev.sluice.activities.support.Refs;
import dev.sluice.activities.support.TestClock;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.testing.ApiServer;
import dev.sluice.workflows.activity.ResourceActivities.FreezeResult;
import dev.sluice.workflows.activity.ResourceActivities.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.RecordStateRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.activity.ResourceActivities.StableRequest;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.Standing;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Earlier specs are kept, and gone back to, with the worker's own rights. */
@ExtendWith(ApiServer.Extension.class)
class RollbackToRevisionIT {

  private static final Path RIGHTS = Path.of("../deploy/operator/21-worker-rights.yaml");
  private static final String WORKER = "system:serviceaccount:sluice-system:sluice-worker";
  private static final RunRef ROLLBACK = new RunRef("Rollback", "lane", "run-2");

  private KubernetesClient admin;
  private KubernetesClient worker;
  private ResourceRef ref;
  private ResourceActivitiesImpl activities;

  @BeforeEach
  void becomeTheWorker(ApiServer server) throws Exception {
    admin = server.client();
    try (InputStream manifest = Files.newInputStream(RIGHTS)) {
      admin.load(manifest).items().stream()
          .filter(it -> !it.getKind().equals("ServiceAccount"))
          .forEach(it -> admin.resource(it).serverSideApply());
    }
    worker =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(server.config()).withImpersonateUsername(WORKER).build())
            .build();
    ref = Deployed.ref(admin.resource(Deployed.orders(server.namespace())).create());
    activities =
        new ResourceActivitiesImpl(
            worker,
            new ResourceStores(List.of(new FlinkDeploymentStore(worker))),
            new ClusterAccess(
                new ClusterReader(worker), new FakeView(), Runnable::run, new TestClock()),
            new FakeFlink(),
            null);
  }

  @AfterEach
  void stop() {
    worker.close();
  }

  /** The newest generation becomes stable; the job before it left that path. */
  private void deployed(long generation, StateRef leftBefore) {
    begun(generation, new RestorePoint(leftBefore, Refs.JOB_ID, Refs.OTHER_JOB_ID), false);
    stable(generation);
  }

  private void begun(long generation, RestorePoint recorded, boolean again) {
    Standing before = standing();
    activities.freezeTarget(Reports.plannedFor(before, Reports.freeze(ref, generation, again)));
    activities.recordState(
        new RecordStateRequest(ref, recorded, "DeleteCluster", "words", null, null, standing()));
  }

  private void stable(long generation) {
    activities.markStable(
        new StableRequest(
            Reports.of(ref, Reports.RUN, OperationState.SUCCEEDED, "MarkStable", generation),
            Refs.OTHER_JOB_ID));
  }

  private void threeGenerations() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, new StateRef.Savepoint("file:/left-by-1"));
    image("flink:2.4");
    deployed(3, new StateRef.Savepoint("file:/left-by-2"));
  }

  /** A person asks for it. */
  private FreezeResult rollBack() {
    annotate(Annotations.ROLLBACK, "wrong totals");
    return goBack();
  }

  private FreezeResult goBack() {
    return activities.freezeRevision(
        new FreezeRevisionRequest(
            Reports.of(ref, ROLLBACK, OperationState.RUNNING, "CancelJob", 3),
            Refs.OTHER_JOB_ID,
            "f".repeat(32),
            standing()));
  }

  @Test
  void theSpecThatIsLeftIsKeptWithTheStateThatItsJobLeft() {
    threeGenerations();

    assertThat(revisions())
        .extracting(
            ControllerRevision::getRevision,
            it -> it.getMetadata().getName(),
            it -> it.getMetadata().getAnnotations().get(Annotations.STATE_LEFT))
        .containsExactly(
            tuple(1L, name(1), "{\"type\":\"Savepoint\",\"path\":\"file:/left-by-1\"}"),
            tuple(2L, name(2), "{\"type\":\"Savepoint\",\"path\":\"file:/left-by-2\"}"));
    assertThat(revisions().get(0).getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(ref.uid()));
  }

  /** 2 was left before it was stable. */
  @Test
  void whatALaterJobLeftIsNotKeptAsThatOfTheStableSpec() {
    deployed(1, new StateRef.Empty("the job never ran"));
    StateRef ofStable = new StateRef.Savepoint("file:/left-by-1");
    image("flink:2.3");
    begun(2, new RestorePoint(ofStable, Refs.JOB_ID, "a".repeat(32)), false);
    image("flink:2.4");
    begun(
        3,
        new RestorePoint(
                new StateRef.Savepoint("file:/left-by-2"), "a".repeat(32), Refs.OTHER_JOB_ID)
            .after(new RestorePoint(ofStable, Refs.JOB_ID, "a".repeat(32))),
        true);

    stable(3);

    assertThat(revisions())
        .singleElement()
        .satisfies(
            it ->
                assertThat(it.getMetadata().getAnnotations().get(Annotations.STATE_LEFT))
                    .contains("file:/left-by-1"));
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/left-by-2");
    assertThat(read().getStatus().recordedState().leftByStable()).isNull();
  }

  @Test
  void theOneBeforeIsGoneBackTo() {
    threeGenerations();
    FreezeResult result = rollBack();

    assertThat(result)
        .isInstanceOfSatisfying(
            Frozen.class, it -> assertThat(it.target().generation()).isEqualTo(2));
    FlinkDeploymentStatus status = read().getStatus();
    OperationStatus operation = status.operation();
    assertThat(status.lastReconciled().spec().image()).isEqualTo("flink:2.3");
    assertThat(status.reconciliationStatus().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(status.recordedState().path()).isEqualTo("file:/left-by-2");
    assertThat(status.recordedState().takenFrom()).isEqualTo(Refs.OTHER_JOB_ID);
    assertThat(operation.fromGeneration()).isEqualTo(3);
    assertThat(operation.message())
        .isEqualTo("Rolling back to generation 2, from savepoint file:/left-by-2: wrong totals");
  }

  @Test
  void anyGenerationCanBeNamedAndTheAnnotationsGo() {
    threeGenerations();
    annotate(Annotations.ROLLBACK_TO, "1");
    annotate(Annotations.ROLLBACK_STATE, "newest");

    FreezeResult result = rollBack();

    assertThat(result)
        .isInstanceOfSatisfying(
            Frozen.class, it -> assertThat(it.target().generation()).isEqualTo(1));
    assertThat(read().getStatus().recordedState()).isNull();
    assertThat(read().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  /** The answer of the first attempt was lost. */
  @Test
  void askedTwiceItGoesBackOnce() {
    threeGenerations();

    FreezeResult first = rollBack();

    assertThat(goBack()).isEqualTo(first);
  }

  @Test
  void whatIsNotKeptChangesNothing() {
    threeGenerations();
    annotate(Annotations.ROLLBACK_TO, "7");
    FlinkDeploymentStatus before = read().getStatus();

    assertThat(rollBack())
        .isEqualTo(
            new FreezeResult.Invalid(
                "no spec of generation '7' is kept; kept are generations 1, 2"));
    assertThat(read().getStatus()).isEqualTo(before);
  }

  @Test
  void theOldestOfTooManyGo() {
    deployed(1, new StateRef.Empty("the job never ran"));
    for (int generation = 2; generation <= 13; generation++) {
      image("flink:3." + generation);
      deployed(generation, new StateRef.Savepoint("file:/" + generation));
    }

    assertThat(revisions())
        .extracting(ControllerRevision::getRevision)
        .containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
  }

  /** A run that is reset, or was started twice, after the request was answered. */
  @Test
  void whatNobodyAsksForAnyMoreChangesNothing() {
    threeGenerations();

    assertThat(goBack())
        .isEqualTo(
            new FreezeResult.Invalid("the annotation sluice.dev/rollback is not there (any more)"));
  }

  /** Somebody's abort was quicker, or a newer spec came meanwhile. */
  @Test
  void whereTheNewestSpecIsNotDeployedItMustBeSaidHowFarToGoBack() {
    threeGenerations();
    image("flink:2.9");

    assertThat(rollBack())
        .isEqualTo(
            new FreezeResult.Invalid(
                "generation 4 is not what is deployed. To go back further all the same, name the"
                    + " generation with sluice.dev/rollback-to"));
    assertThat(read().getMetadata().getAnnotations()).isNullOrEmpty();
  }

  /** Rule 1: what was given up for a stateless spec is not what the job left. */
  @Test
  void aJobWhoseStateWasGivenUpLeftNone() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, StateRef.Empty.STATELESS);

    assertThat(revisions().get(0).getMetadata().getAnnotations()).isNullOrEmpty();
  }

  @Test
  void aSpecThatKubernetesRefusesByNowIsNotGoneBackTo() {
    threeGenerations();
    ControllerRevision revision = revisions().get(1);
    String template =
        """
        "spec":{"podTemplate":{"spec":{"containers":[{"name":"flink-main-container",
        "volumeMounts":[{"name":"nowhere","mountPath":"/data"}]}]}},""";
    String data = Serialization.asJson(revision.getData()).replace("\"spec\":{", template);
    assertThat(data).contains("nowhere");
    admin.resource(revision).delete();
    revision.setData(Serialization.unmarshal(data, Map.class));
    revision.getMetadata().setResourceVersion(null);
    admin.resource(revision).create();

    assertThat(rollBack()).isInstanceOf(FreezeResult.Invalid.class);
    assertThat(read().getStatus().reconciliationStatus().state())
        .isEqualTo(ReconciliationState.DEPLOYED);
  }

  /** A resource of the same name that was deleted: its specs are collected, some time later. */
  @Test
  void whatAnEarlierInstanceLeftIsNotGoneBackTo() {
    threeGenerations();
    for (ControllerRevision revision : revisions()) {
      revision.getMetadata().getOwnerReferences().get(0).setUid(Refs.UID);
      admin.resource(revision).update();
    }

    assertThat(rollBack())
        .isEqualTo(new FreezeResult.Invalid("no spec before generation 3 is kept"));
  }

  private List<ControllerRevision> revisions() {
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

  private String name(long generation) {
    return "orders-%s-%d".formatted(ref.uid().substring(0, 8), generation);
  }

  private Standing standing() {
    return new FlinkDeploymentStore(admin).read(ref).observed().standing();
  }

  private void image(String image) {
    admin
        .resource(read())
        .edit(
            it -> {
              it.setSpec(it.getSpec().withImage(image));
              return it;
            });
  }

  private void annotate(String name, String value) {
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

  private FlinkDeployment read() {
    return admin.resource(Deployed.orders(ref.namespace())).get();
  }
}
