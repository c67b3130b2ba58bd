package dev.sluice.workflows.plan;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Times;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.RestorePoint;

/** A few observations for tests of other packages. */
public final class Sights {

  private Sights() {}

  /** The stable job {@code old} runs. */
  public static Observation stable() {
    return Seen.stable().build();
  }

  /** Its cluster is still there, and an upgrade has recorded that. */
  public static Observation stableAndRecorded(RestorePoint recorded) {
    Seen seen = Seen.begun();
    seen.recorded = recorded;
    return seen.build();
  }

  /** The job {@code new} of an earlier spec runs in a rollback that is not at its end. */
  public static Observation rolledBackTo(RestorePoint recorded) {
    Seen seen = Seen.of("started phase=ROLLING_BACK");
    seen.recorded = recorded;
    return seen.build();
  }

  /** The job {@code old}, alive with two tasks. */
  public static JobObservation.Alive alive(FlinkJobState state, int running, Times times) {
    return Seen.at(Seen.alive(Seen.OLD, state, running, 0, 2), times);
  }

  /** That is observed of the job {@code old}, with a cluster or without. */
  public static Observation of(boolean present, HighAvailability availability, JobObservation job) {
    Seen seen = Seen.stable();
    seen.ha = availability;
    seen.present = present;
    seen.job = job;
    return seen.build();
  }
}
