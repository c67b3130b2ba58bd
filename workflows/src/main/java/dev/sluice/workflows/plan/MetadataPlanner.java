package dev.sluice.workflows.plan;

import dev.sluice.api.condition.Reasons;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.ClusterObservation.HighAvailability;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.Decision.Hold;
import dev.sluice.workflows.plan.Decision.Proceed;
import dev.sluice.workflows.plan.Plan.Restore;
import dev.sluice.workflows.plan.Plan.Suspend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lets a job go on from its high-availability metadata, under its own id. As long as Flink keeps
 * it, the metadata has the newest checkpoint, whatever became of the JobManager. Pure.
 */
final class MetadataPlanner {

  private MetadataPlanner() {}

  /**
   * Null when there is no metadata with a checkpoint of the job. Else a plan, or what stands
   * against it.
   *
   * @param why the beginning of the plan's sentence: why the job is not suspended in another way
   */
  static @Nullable Decision goOn(Observation seen, Target target, String why) {
    ClusterObservation cluster = seen.cluster();
    String jobId = cluster.present() ? cluster.jobId() : cluster.preparedJobId();
    if (jobId == null || cluster.highAvailability() != HighAvailability.CHECKPOINT) {
      return null;
    }
    String obstacle = obstacle(seen, target);
    if (obstacle != null) {
      return new Hold(
          false,
          Reasons.STATE_NOT_FOUND,
          why + ". Its newest state is in its high-availability metadata only, " + obstacle,
          true);
    }
    return new Proceed(
        new Plan(
            new Suspend.KeepHaMetadata(jobId),
            new Restore.From(new StateRef.HaMetadata(jobId)),
            UpgradePlanner.replace(seen),
            why + ": the job goes on from its high-availability metadata, under the same id."));
  }

  /** Why the target cannot go on from it, and what to do; null when it can. */
  private static @Nullable String obstacle(Observation seen, Target target) {
    if (!target.options().highAvailability()) {
      return "and the new spec switches high availability off. Set high-availability.type to"
          + " kubernetes again; switch it off with a later upgrade, once the job runs.";
    }
    Observation.Deployed deployed = seen.deployed();
    if (deployed == null) {
      return "and it is not known which Flink version wrote that." + SuspendPlanner.NEVER_WITHOUT;
    }
    return Objects.equals(deployed.flinkVersion(), target.flinkVersion())
        ? null
        : "which no other Flink version reads. Set spec.flinkVersion to %s again; change it with a later upgrade, once the job runs."
            .formatted(
                deployed.flinkVersion() == null ? "what it was" : deployed.flinkVersion().wire());
  }
}
