package dev.sluice.activities.bluegreen;

import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.flink.FlinkRestException;
import dev.sluice.activities.job.NewestState;
import dev.sluice.activities.job.Statistics;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.common.FlinkJobState;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobStatus;
import dev.sluice.workflows.bluegreen.BlueGreenStanding;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Begun;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import dev.sluice.workflows.bluegreen.ChildSeen;
import dev.sluice.workflows.bluegreen.ChildSeen.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the job of a live session cluster left that has finished, by the word of its JobManager:
 * nobody notes that there. Not known any more once the JobManager has forgotten the job.
 */
final class FinishedCheck {

  private static final Duration ANSWER = Duration.ofSeconds(2);

  /** What Flink says of its checkpoints is older than its end for so long; clocks differ, too. */
  private static final Duration SETTLES = Duration.ofSeconds(30);

  private final BlueGreenStore store;
  private final JobCheck jobs;
  private final FlinkRest flink;
  private final Clock clock;

  FinishedCheck(BlueGreenStore store, JobCheck jobs, FlinkRest flink, Clock clock) {
    this.store = store;
    this.jobs = jobs;
    this.flink = flink;
    this.clock = clock;
  }

  /** The live child, with what its job left where that can be found out. Blocks. */
  ChildSeen look(ResourceRef parent, ChildSeen child, BlueGreenStanding standing) {
    boolean untold = child.phase() instanceof Phase.Finished finished && !finished.told();
    if (!untold || child.deleting() || isBeingStopped(standing.transition())) {
      return child;
    }
    String jobId = jobId(parent, child.color());
    try {
      return jobId == null ? child : left(parent, child, jobId).map(child::withPhase).orElse(child);
    } catch (FlinkRestException silent) {
      return child;
    }
  }

  /** Its cut-over waits for what its own status says, or is given up. */
  private static boolean isBeingStopped(@Nullable Begun transition) {
    return transition != null
        && transition.cut() != null
        && transition.source() == Source.SAVEPOINT;
  }

  private @Nullable String jobId(ResourceRef parent, Color color) {
    JobResourceStatus status = store.child(parent, color).map(FoundChild::status).orElse(null);
    JobStatus job = status == null ? null : status.jobStatus();
    return job == null ? null : job.jobId();
  }

  private Optional<Phase> left(ResourceRef parent, ChildSeen child, String jobId) {
    RunningCluster cluster = jobs.cluster(parent, child.color());
    Duration settles = SETTLES.plus(Statistics.age(cluster.configuration()));
    Instant now = clock.instant();
    boolean settled =
        flink
            .within(ANSWER)
            .jobsOverview(cluster.endpoint())
            .job(jobId)
            .filter(it -> it.state() == FlinkJobState.FINISHED)
            .flatMap(it -> it.times().end())
            .filter(it -> it.plus(settles).isBefore(now))
            .isPresent();
    if (!settled) {
      return Optional.empty();
    }
    StateRef state =
        NewestState.of(
                FlinkJobState.FINISHED,
                jobId,
                flink.within(ANSWER).checkpoints(cluster.endpoint(), jobId))
            .state();
    return state instanceof StateRef.Unknown
        ? Optional.empty()
        : Optional.of(new Phase.Finished(state.pathOrNull()));
  }
}
