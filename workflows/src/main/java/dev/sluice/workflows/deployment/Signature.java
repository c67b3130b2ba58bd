package dev.sluice.workflows.deployment;

import dev.sluice.api.common.FlinkJobState;
import dev.sluice.workflows.model.ClusterObservation;
import dev.sluice.workflows.model.JobObservation;
import dev.sluice.workflows.model.JobObservation.Alive;
import dev.sluice.workflows.model.JobObservation.Ended;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.Target;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import dev.sluice.workflows.plan.CheckpointAge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What has to change before a run that was held goes on by itself. */
record Signature(
    JobSignature job,
    ClusterSignature cluster,
    long differentGeneration,
    Target ignoredFields,
    @Nullable String problem,
    boolean sameAsStable,
    boolean otherJobs,
    List<String> unmanagedJobs,
    boolean saving) {

  static Signature of(Observation seen) {
    JobObservation job = seen.job();
    StateRef newest =
        job instanceof Alive alive
            ? alive.newest()
            : job instanceof Ended ended ? ended.newest() : null;
    ClusterObservation cluster = seen.cluster();
    Observation.Newest spec = seen.newest();
    return new Signature(
        new JobSignature(
            job.getClass().getSimpleName(),
            job instanceof Alive alive
                ? alive.state()
                : job instanceof Ended ended ? ended.state() : null,
            job instanceof Alive alive && alive.isUp(),
            newest == null ? null : newest.getClass().getSimpleName(),
            job instanceof Alive alive ? alive.keepsCheckpoints() : null,
            job instanceof Alive alive && CheckpointAge.of(spec.target(), alive).isAwaited()
                ? alive.times().checkpointAtMs()
                : 0),
        new ClusterSignature(
            cluster.present(),
            cluster.jobId(),
            cluster.preparedJobId(),
            cluster.jobManager(),
            mayLoseJobs(seen) && cluster.stopped(),
            cluster.highAvailability()),
        spec.sameAsFrozen() ? 0 : spec.target().generation(),
        spec.target().withGeneration(0),
        spec.problem(),
        spec.sameAsStable(),
        !seen.otherJobs().isEmpty(),
        seen.unmanagedJobs().stream().sorted().toList(),
        isSaving(seen));
  }

  /** Somebody takes a savepoint, which an upgrade waits for. */
  private static boolean isSaving(Observation seen) {
    return !seen.savepoints().isEmpty()
        || (seen.job() instanceof Alive alive && alive.times().takesSavepoint());
  }

  /** Of a cluster of the target itself it is no matter whether its process runs. */
  private static boolean mayLoseJobs(Observation seen) {
    RestorePoint recorded = seen.recorded();
    return seen.isSession() && (recorded == null || !recorded.starts(seen.cluster().jobId()));
  }

  record JobSignature(
      String kind,
      @Nullable FlinkJobState state,
      boolean up,
      @Nullable String newest,
      JobObservation.@Nullable Retention retention,
      long olderThanAwaited) {}

  record ClusterSignature(
      boolean present,
      @Nullable String jobId,
      @Nullable String preparedJobId,
      ClusterObservation.JobManager jobManager,
      boolean stopped,
      ClusterObservation.HighAvailability highAvailability) {}
}
