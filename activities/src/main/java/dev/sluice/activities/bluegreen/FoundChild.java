package dev.sluice.activities.bluegreen;

import dev.sluice.activities.kubernetes.ClusterAnnotations;
import dev.sluice.api.common.JobResourceStatus;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who has the name of a child, as it was read: one resource, or two. */
sealed interface FoundChild {

  /** What there is, the cluster first; at least one. */
  Stream<HasMetadata> all();

  /** Its job; null when there is none. */
  @Nullable JobSpec job();

  /** The resource whose spec says whether the job runs; null when there is none. */
  @Nullable HasMetadata jobResource();

  /** What that says of the job; null when there is none. */
  @Nullable JobResourceStatus status();

  /** Tells it from a later one of the same name. */
  default String uid() {
    return all().findFirst().orElseThrow().getMetadata().getUid();
  }

  /** Whether all of it belongs to that parent. */
  default boolean isOwned(String parent) {
    return all().allMatch(it -> ChildReading.isOwned(it.getMetadata(), parent));
  }

  /** Whether any of it goes. */
  default boolean isDeleting() {
    return all().anyMatch(it -> it.getMetadata().getDeletionTimestamp() != null);
  }

  /** Generation of the parent that all of it was written for; 0 when it does not say. */
  default long madeFor() {
    return all().mapToLong(FoundChild::madeFor).min().orElse(0);
  }

  /** The same of one of its resources. */
  static long madeFor(HasMetadata one) {
    return Objects.requireNonNullElse(ClusterAnnotations.generation(one), 0L);
  }

  /** An application cluster. */
  record Application(FlinkDeployment deployment) implements FoundChild {
    @Override
    public Stream<HasMetadata> all() {
      return Stream.of(deployment);
    }

    @Override
    public @Nullable JobSpec job() {
      return deployment.getSpec().job();
    }

    @Override
    public HasMetadata jobResource() {
      return deployment;
    }

    @Override
    public JobResourceStatus status() {
      return deployment.getStatus();
    }
  }

  /**
   * A session cluster and the job on it.
   *
   * @param cluster null when only the job is there
   * @param jobOfIt null when only the cluster is
   */
  record Session(@Nullable FlinkDeployment cluster, @Nullable FlinkSessionJob jobOfIt)
      implements FoundChild {
    @Override
    public Stream<HasMetadata> all() {
      return Stream.concat(Stream.ofNullable(cluster), Stream.ofNullable(jobOfIt));
    }

    @Override
    public @Nullable JobSpec job() {
      return jobOfIt == null ? null : jobOfIt.getSpec().job();
    }

    @Override
    public @Nullable HasMetadata jobResource() {
      return jobOfIt;
    }

    @Override
    public @Nullable JobResourceStatus status() {
      return jobOfIt == null ? null : jobOfIt.getStatus();
    }
  }
}
