package dev.sluice.activities.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.activities.revision.KeptRevisions;
import dev.sluice.activities.support.Refs;
import dev.sluice.api.Annotations;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import org.junit.jupiter.api.Test;

/** Earlier specs are kept, with the worker's own rights. */
class SpecsKeptIT extends Revisions {

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
    assertThat(new KeptRevisions(admin).statesLeft(ref))
        .containsExactlyInAnyOrder("file:/left-by-1", "file:/left-by-2");
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
