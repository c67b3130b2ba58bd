package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.activities.deployment.Stored;
import dev.sluice.activities.revision.SpecRevisions;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.OperationState;
import dev.sluice.api.common.OperationStatus;
import dev.sluice.api.common.ReconciliationState;
import dev.sluice.api.deployment.FlinkDeploymentStatus;
import dev.sluice.workflows.activity.FreezeResult;
import dev.sluice.workflows.activity.FreezeResult.Frozen;
import dev.sluice.workflows.activity.ResourceActivities.FreezeRevisionRequest;
import dev.sluice.workflows.activity.ResourceActivities.RunRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Earlier specs are gone back to, with the worker's own rights. */
class RollbackToRevisionIT extends ActivitiesScenario {

  private static final RunRef ROLLBACK = new RunRef("Rollback", "lane", "run-2");
  private static final String ROLLED_BACK_JOB = "f".repeat(32);

  @Test
  void theOneBeforeIsGoneBackTo() {
    threeGenerations();
    FreezeResult result = rollBack();

    assertThat(generation(result)).isEqualTo(2);
    FlinkDeploymentStatus status = read().getStatus();
    OperationStatus operation = status.operation();
    assertThat(status.lastReconciled().spec().image()).isEqualTo("flink:2.3");
    assertThat(status.reconciliationStatus().state()).isEqualTo(ReconciliationState.ROLLING_BACK);
    assertThat(status.recordedState().path()).isEqualTo("file:/left-by-2");
    assertThat(status.recordedState().takenFrom()).isEqualTo(Refs.OTHER_JOB_ID);
    assertThat(operation.fromGeneration()).isEqualTo(3);
    assertThat(operation.message())
        .isEqualTo("Rolling back to generation 2, from savepoint file:/left-by-2: wrong totals");
    assertThat(revisions())
        .extracting(
            ControllerRevision::getRevision,
            it -> it.getMetadata().getName(),
            it -> it.getMetadata().getAnnotations().get(Annotations.STATE_LEFT),
            it -> it.getMetadata().getOwnerReferences().get(0).getUid())
        .containsExactly(
            tuple(1L, name(1), "{\"type\":\"Savepoint\",\"path\":\"file:/left-by-1\"}", ref.uid()),
            tuple(2L, name(2), "{\"type\":\"Savepoint\",\"path\":\"file:/left-by-2\"}", ref.uid()));
    assertThat(new SpecRevisions(admin).statesLeft(ref))
        .containsExactlyInAnyOrder("file:/left-by-1", "file:/left-by-2");
  }

  @Test
  void anyGenerationCanBeNamedAndTheAnnotationsGo() {
    threeGenerations();
    annotate(Annotations.ROLLBACK_TO, "1");
    annotate(Annotations.ROLLBACK_STATE, "newest");

    FreezeResult result = rollBack();

    assertThat(generation(result)).isEqualTo(1);
    assertThat(Stored.of(read()).observed().recorded()).isNull();
    assertThat(annotations()).isEmpty();
    assertThat(answer("because of that")).as("answered").isFalse();
  }

  /** While an operation is open, the request means an abort; nothing else follows from it. */
  @Test
  void anAbortAnswersARequestAndSaysWhatItIgnores() {
    annotate(Annotations.ROLLBACK, "wrong totals");
    annotate(Annotations.ROLLBACK_STATE, "newest");

    assertThat(answer("because of that")).isFalse();

    assertThat(annotations()).isEmpty();
    assertThat(admin.v1().events().inNamespace(namespace).list().getItems())
        .extracting(Event::getReason, Event::getMessage)
        .contains(
            tuple(
                "RequestIgnored",
                "Rollback, Report: sluice.dev/rollback-state=newest: ignored, because of that"));
    annotate(Annotations.ROLLBACK, "wrong totals");
    annotate(Annotations.ROLLBACK_TO, "1");
    assertThat(answer("")).as("a rollback follows").isTrue();
    assertThat(annotations()).hasSize(2);
  }

  /** What 2 left is the metadata that the job of 3 has used. */
  @Test
  void aSpecThatWasLeftThroughMetadataIsNotPassedOver() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, new StateRef.Savepoint("file:/left-by-1"));
    image("flink:2.4");
    deployed(3, new StateRef.HaMetadata(Refs.OTHER_JOB_ID));

    assertThat(rollBack())
        .isInstanceOfSatisfying(
            FreezeResult.Invalid.class,
            it -> assertThat(it.problem()).contains("what the job of generation 2 left"));
    annotate(Annotations.ROLLBACK_STATE, "newest");

    assertThat(generation(rollBack())).isEqualTo(2);
  }

  @Test
  void aSpecThatWasRolledBackFromIsNotTheOneBefore() {
    threeGenerations();
    rollBack();
    markStable(2, ROLLED_BACK_JOB);
    image("flink:2.5");
    deployed(4, new StateRef.Savepoint("file:/left-by-2-again"));

    assertThat(generation(rollBack())).isEqualTo(2);
    assertThat(read().getStatus().recordedState().path()).isEqualTo("file:/left-by-2-again");
  }

  private boolean answer(String message) {
    return activities.answerRollback(
        Reports.of(ref, ROLLBACK, OperationState.ABORTED, "Report", 3).withMessage(message), true);
  }

  /** Its answer, or that the annotations were removed, may have been lost. */
  @Test
  void onceBegunItGoesOnAndARequestToGoFurtherStays() {
    threeGenerations();
    FreezeResult first = rollBack();
    annotate(Annotations.ROLLBACK, "wrong totals");
    annotate(Annotations.ROLLBACK_TO, "2");
    assertThat(goBack()).isEqualTo(first);
    assertThat(annotations()).isEmpty();
    annotate(Annotations.ROLLBACK, "wrong totals");
    assertThat(freeze(2, true)).as("by another run").isEqualTo(first);
    assertThat(annotations()).isEmpty();
    annotate(Annotations.ROLLBACK, "wrong totals");
    annotate(Annotations.ROLLBACK_TO, "1");

    assertThat(goBack()).isEqualTo(first);

    assertThat(annotations()).hasSize(2);
  }

  /** Without the generation that it names it would be another request. */
  @Test
  void aRequestIsRemovedWholeOrNotAtAll() {
    threeGenerations();
    annotate(Annotations.ROLLBACK_TO, "7");
    requests.once(
        "PATCH",
        "/flinkdeployments/orders",
        () -> annotate(Annotations.ROLLBACK, "another reason"));

    rollBack();

    assertThat(annotations())
        .containsEntry(Annotations.ROLLBACK, "another reason")
        .containsEntry(Annotations.ROLLBACK_TO, "7");
  }

  @Test
  void aSpecThatKubernetesRefusesByNowIsNotGoneBackTo() {
    threeGenerations();
    ControllerRevision revision = revisions().get(1);
    String template =
        """
        "spec":{"podTemplate":{"spec":{"containers":[{"name":"flink-main-container",
        "volumeMounts":[{"name":"nowhere","mountPath":"/data"}]}]}},\
        """;
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

  private static long generation(FreezeResult result) {
    return ((Frozen) result).target().generation();
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
            ROLLED_BACK_JOB,
            standing()));
  }

  private List<ControllerRevision> revisions() {
    return admin.apps().controllerRevisions().inNamespace(namespace).list().getItems().stream()
        .sorted(Comparator.comparing(ControllerRevision::getRevision))
        .toList();
  }

  /** 2 was left before it was stable. */
  @Test
  void whatALaterJobLeftIsNotKeptAsThatOfTheStableSpec() {
    deployed(1, new StateRef.Empty("the job never ran"));
    StateRef ofStable = new StateRef.Savepoint("file:/left-by-1");
    image("flink:2.3");
    freeze(2);
    record(new RestorePoint(ofStable, Refs.JOB_ID, "a".repeat(32)));
    image("flink:2.4");
    freeze(3, true);
    record(
        new RestorePoint(
                new StateRef.Savepoint("file:/left-by-2"), "a".repeat(32), Refs.OTHER_JOB_ID)
            .after(new RestorePoint(ofStable, Refs.JOB_ID, "a".repeat(32))));

    markStable(3, Refs.OTHER_JOB_ID);

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
  void theOldestOfTooManyGo() {
    deployed(1, new StateRef.Empty("the job never ran"));
    for (int generation = 2; generation <= 6; generation++) {
      image("flink:3." + generation);
      deployed(generation, new StateRef.Savepoint("file:/" + generation));
    }

    assertThat(revisions()).extracting(ControllerRevision::getRevision).containsExactly(3L, 4L, 5L);
  }

  /** Rule 1: what was given up for a stateless spec is not what the job left. */
  @Test
  void aJobWhoseStateWasGivenUpLeftNone() {
    deployed(1, new StateRef.Empty("the job never ran"));
    image("flink:2.3");
    deployed(2, StateRef.Empty.STATELESS);

    assertThat(revisions().get(0).getMetadata().getAnnotations()).isNullOrEmpty();
  }

  private String name(long generation) {
    return "orders-%s-%d".formatted(ref.uid().substring(0, 8), generation);
  }
}
