package dev.sluice.activities.sessionjob;

import dev.sluice.activities.manifest.common.ClusterManifests;
import dev.sluice.activities.resource.DeployedSpec;
import dev.sluice.activities.resource.StateOptionsReader;
import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import dev.sluice.api.validation.SessionJobKeys;
import dev.sluice.workflows.model.JobRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.model.Observation.StateOptions;
import dev.sluice.workflows.model.StateRef;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a FlinkSessionJob at one generation.
 *
 * @param spec the spec
 * @param json as it stands in the status, or would
 * @param place the session cluster
 */
record SessionJobTarget(FrozenSessionJob spec, String json, SessionPlace place)
    implements DeployedSpec {

  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";
  private static final String RETAINED = "RETAIN_ON_CANCELLATION";

  /** Of a spec that is not in the status yet. */
  SessionJobTarget(FrozenSessionJob spec, SessionPlace place) {
    this(spec, spec.toJson(), place);
  }

  /** Empty when it cannot be read. */
  static Optional<SessionJobTarget> parsed(String json, SessionPlace place) {
    try {
      return Optional.of(new SessionJobTarget(FrozenSessionJob.parse(json), json, place));
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /** The same on that session cluster. */
  SessionJobTarget on(SessionPlace other) {
    return new SessionJobTarget(spec, json, other);
  }

  @Override
  public Observation.Target target() {
    JobSpec job = spec.spec().job();
    return new Observation.Target(
        spec.generation(),
        job == null ? UpgradeMode.STATELESS : job.upgradeMode(),
        job == null ? null : job.startPath(),
        place.flinkVersion(),
        options(),
        isSuspended(),
        false,
        false);
  }

  /**
   * The cluster stays, and its metadata with it: a job is always cancelled for its checkpoint, and
   * none is left to the metadata.
   */
  private StateOptions options() {
    StateOptions merged = StateOptionsReader.of(configuration());
    return new StateOptions(
        false,
        merged.fallsBack(),
        true,
        merged.maxCheckpointAgeMs(),
        merged.ignoresSavepoints(),
        null);
  }

  @Override
  public @Nullable JobSpec job() {
    return spec.spec().job();
  }

  @Override
  public boolean isFirst() {
    return spec.firstDeployment();
  }

  @Override
  public boolean isByApache() {
    return spec.byApache();
  }

  @Override
  public String summary() {
    JobSpec job = job();
    return "parallelism %d on %s"
        .formatted(job == null ? 0 : job.parallelism(), spec.spec().deploymentName());
  }

  @Override
  public FlinkConfiguration configuration() {
    return SessionJobKeys.merged(place.configuration(), spec.spec().configuration());
  }

  /**
   * What Flink is asked to run it with: its own configuration, and of what an application gets
   * where nothing says otherwise that which neither the job nor its cluster says. The operations
   * need checkpoints, and that Flink keeps them.
   */
  FlinkConfiguration submitted() {
    FlinkConfiguration merged = configuration();
    FlinkConfiguration submitted = spec.spec().configuration();
    if (!merged.has(RETENTION)) {
      submitted = submitted.with(RETENTION, RETAINED);
    }
    Optional<String> interval =
        CheckpointInterval.effective(merged, spec.spec().job()).get(CheckpointInterval.KEY);
    return merged.has(CheckpointInterval.KEY) || interval.isEmpty()
        ? submitted
        : submitted.with(CheckpointInterval.KEY, interval.get());
  }

  @Override
  public boolean hasCluster() {
    return false;
  }

  @Override
  public ClusterManifests render(JobRef job, StateRef restoreFrom) {
    throw new IllegalArgumentException(
        "a FlinkSessionJob has no cluster of its own: it runs on that of FlinkDeployment "
            + spec.spec().deploymentName());
  }
}
