package dev.sluice.controller.application;

import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Answered;
import dev.sluice.controller.observation.ObservedJob.Job;
import dev.sluice.workflows.application.VersionRef;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was observed of one version.
 *
 * @param ref it
 * @param spec that it is frozen with; null when it cannot be read
 * @param cluster its Deployments
 * @param flink what Flink says of its job
 * @param details what Flink says besides; {@link VersionDetails#NONE} when it was not asked yet
 */
record ObservedVersion(
    VersionRef ref,
    @Nullable FlinkApplicationSpec spec,
    VersionCluster cluster,
    ObservedJob flink,
    VersionDetails details) {

  /** Its recorded job, if Flink answers and knows it. */
  Optional<Job> job() {
    return flink instanceof Answered answered
        ? answered.job().filter(job -> job.id().equals(ref.jobId()))
        : Optional.empty();
  }

  /** Whether Flink answers and does not know the job that is recorded. */
  boolean isJobAbsent() {
    return ref.jobId() != null && flink instanceof Answered && job().isEmpty();
  }

  /** The port of its REST API. */
  int port() {
    return Objects.requireNonNullElse(spec, FlinkApplicationSpec.EMPTY).uiPort();
  }
}
