package dev.sluice.workflows.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.workflows.activity.JobActivities.TakenState;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Plan;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import dev.sluice.workflows.plan.Sights;
import org.junit.jupiter.api.Test;

/** What is recorded as left by the last stable job, {@code old} of generation 6. */
class StateLeftTest {

  private static final StateRef CHOSEN = new StateRef.Savepoint("s3://chosen");
  private static final StateRef OF_OLD = new StateRef.Savepoint("s3://of-old");

  private static RestorePoint recorded(
      Observation seen, Restore restore, StateRef from, TakenState taken) {
    Plan plan = new Plan(Suspend.NONE, restore, Plan.Teardown.of(seen.cluster()), "");
    return JobStop.restorePoint(plan, taken, seen, from, "next");
  }

  @Test
  void aCancellationThatKeepsNothingDoesNotHideWhatIsThere() {
    TakenState nothing = new TakenState(new StateRef.Empty("its state is not needed"), "cancelled");

    RestorePoint point =
        recorded(Sights.stable(), new Restore.Instead(CHOSEN, OF_OLD), CHOSEN, nothing);

    assertThat(point.state()).isEqualTo(CHOSEN);
    assertThat(point.leftByStable()).isEqualTo(OF_OLD);
  }

  /** Where nothing could be kept, going back starts from the same path: never empty. */
  @Test
  void whereNothingIsKeptThePathIsAllThereIs() {
    RestorePoint point = recorded(Sights.stable(), new Restore.Instead(CHOSEN, null), CHOSEN, null);

    assertThat(point.leftByStable()).isEqualTo(CHOSEN);
  }

  /** A newer spec came after the old job was stopped and recorded, and before its cluster went. */
  @Test
  void whatWasTakenFromTheJobThatIsThereStaysKnown() {
    RestorePoint before = new RestorePoint(CHOSEN, "old", "new").leaving(OF_OLD);

    RestorePoint point =
        recorded(Sights.stableAndRecorded(before), new Restore.From(CHOSEN), CHOSEN, null);

    assertThat(point.leftByStable()).isEqualTo(OF_OLD);
  }

  /** The stable job was given up for an earlier spec, whose job has its own state. */
  @Test
  void aJobThatWasRolledBackToLeavesWhatIsGoneBackTo() {
    StateRef later = new StateRef.Savepoint("s3://later");
    RestorePoint before = new RestorePoint(OF_OLD, "old", "new");

    RestorePoint point =
        recorded(
            Sights.rolledBackTo(before),
            new Restore.FromSuspended(),
            later,
            new TakenState(later, "stopped"));

    assertThat(point.leftByStable()).isEqualTo(later);
  }
}
