package dev.sluice.controller.bluegreen;

import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.condition.ConditionTypes;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a child says of itself and of its job. */
sealed interface ShownChild {

  /** A resource that it consists of. */
  record Part(ObjectMeta metadata, JobResourceStatus status) {
    static Part of(FlinkDeployment deployment) {
      return new Part(deployment.getMetadata(), deployment.getStatus());
    }

    static Part of(FlinkSessionJob job) {
      return new Part(job.getMetadata(), job.getStatus());
    }
  }

  /** The one that speaks for it. */
  Part main();

  /** All of them. */
  Stream<Part> parts();

  /** Its job; null when it has none. */
  @Nullable JobSpec job();

  /** Whether its job runs, or will by itself: unless it has finished. */
  default boolean isToRun() {
    JobSpec wanted = job();
    return main().metadata().getDeletionTimestamp() == null
        && wanted != null
        && !wanted.isSuspended()
        && ColorWords.newest(main(), ConditionTypes.READY)
            .filter(it -> Reasons.JOB_FINISHED.equals(it.getReason()))
            .isEmpty();
  }

  /** Whether its job exists as a resource. */
  default boolean hasJob() {
    return true;
  }

  /** An application cluster. */
  record Application(FlinkDeployment deployment) implements ShownChild {
    @Override
    public @Nullable JobSpec job() {
      return deployment.getSpec().job();
    }

    @Override
    public Part main() {
      return Part.of(deployment);
    }

    @Override
    public Stream<Part> parts() {
      return Stream.of(main());
    }
  }

  /**
   * A session cluster and the job on it.
   *
   * @param jobOfIt null while it has none
   */
  record Session(FlinkDeployment cluster, @Nullable FlinkSessionJob jobOfIt) implements ShownChild {
    @Override
    public @Nullable JobSpec job() {
      return jobOfIt == null ? null : jobOfIt.getSpec().job();
    }

    @Override
    public Part main() {
      return jobOfIt == null ? Part.of(cluster) : Part.of(jobOfIt);
    }

    @Override
    public Stream<Part> parts() {
      return Stream.concat(Stream.ofNullable(jobOfIt).map(Part::of), Stream.of(Part.of(cluster)));
    }

    @Override
    public boolean hasJob() {
      return jobOfIt != null;
    }
  }
}
