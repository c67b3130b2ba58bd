package dev.sluice.activities.deployment;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.ReconciliationStatus;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the FlinkStateSnapshot that {@code spec.job.flinkStateSnapshotReference} names. The path
 * is frozen with the spec: once a start was decided, nothing that becomes of the snapshot changes
 * it.
 */
final class StartSnapshot {

  private static final String FIELD = "spec.job.flinkStateSnapshotReference";
  private static final int FORBIDDEN = 403;

  private final KubernetesClient client;

  StartSnapshot(KubernetesClient client) {
    this.client = client;
  }

  /**
   * A resource whose reference was looked up.
   *
   * @param resource with the path in its reference, where that was found
   * @param problem why it was not found; null when it was, or there is none to look up
   */
  record Looked(FlinkDeployment resource, @Nullable String problem) {}

  /** Blocks for one call, and only where the path is not known. */
  Looked lookUp(FlinkDeployment resource) {
    JobSpec job = resource.getSpec().job();
    SnapshotReference reference = job == null ? null : job.flinkStateSnapshotReference();
    if (job == null || reference == null || !reference.isToBeLookedUp()) {
      return new Looked(resource, null);
    }
    Optional<String> known = known(resource, job, reference);
    if (known.isPresent()) {
      return found(resource, job, reference.at(known.get()));
    }
    String namespace =
        Objects.requireNonNullElse(reference.namespace(), resource.getMetadata().getNamespace());
    String which = "FlinkStateSnapshot %s/%s".formatted(namespace, reference.name());
    Answer answer = KubernetesFailure.told("read " + which, () -> ask(namespace, reference.name()));
    return answer.path() == null
        ? new Looked(resource, "%s: %s %s".formatted(FIELD, which, answer.problem()))
        : found(resource, job, reference.at(answer.path()));
  }

  /** Where the snapshot is, or why that is not known. */
  private record Answer(@Nullable String path, String problem) {}

  private Answer ask(String namespace, @Nullable String name) {
    FlinkStateSnapshot snapshot;
    try {
      snapshot =
          client.resources(FlinkStateSnapshot.class).inNamespace(namespace).withName(name).get();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == FORBIDDEN) {
        return new Answer(null, "may not be read by Sluice. Allow that, or give its path");
      }
      throw failed;
    }
    FlinkStateSnapshotStatus status = snapshot == null ? null : snapshot.getStatus();
    return new Answer(path(status), problem(snapshot, status));
  }

  private static @Nullable String path(@Nullable FlinkStateSnapshotStatus status) {
    return status != null && status.state() == SnapshotState.COMPLETED ? status.path() : null;
  }

  private static String problem(
      @Nullable FlinkStateSnapshot snapshot, @Nullable FlinkStateSnapshotStatus status) {
    SnapshotState state = status == null ? null : status.state();
    if (snapshot == null) {
      return "does not exist. Create it, or name another one";
    }
    if (state == null) {
      return "is not COMPLETED yet. Annotate with sluice.dev/retry when it is";
    }
    return switch (state) {
      case COMPLETED -> "has no path. Name another one";
      case FAILED, ABANDONED -> "is " + state + ". Name another one";
      case TRIGGER_PENDING, IN_PROGRESS ->
          "is not COMPLETED yet. Annotate with sluice.dev/retry when it is";
    };
  }

  /** What was found for the same start before. Another redeployment is another start. */
  private static Optional<String> known(
      FlinkDeployment resource, JobSpec job, SnapshotReference reference) {
    ReconciliationStatus status = resource.getStatus().reconciliationStatus();
    return status == null
        ? Optional.empty()
        : Stream.of(status.lastReconciledSpec(), status.lastStableSpec())
            .flatMap(StartSnapshot::job)
            .filter(it -> Objects.equals(it.savepointRedeployNonce(), job.savepointRedeployNonce()))
            .map(JobSpec::flinkStateSnapshotReference)
            .filter(it -> it != null && it.hasSameName(reference))
            .map(SnapshotReference::path)
            .filter(Objects::nonNull)
            .findFirst();
  }

  private static Stream<JobSpec> job(@Nullable String json) {
    try {
      FrozenSpec spec = FrozenSpec.parseNullable(json);
      return spec == null ? Stream.empty() : Stream.ofNullable(spec.spec().job());
    } catch (IllegalArgumentException unreadable) {
      return Stream.empty();
    }
  }

  private static Looked found(FlinkDeployment resource, JobSpec job, SnapshotReference at) {
    resource.setSpec(resource.getSpec().withJob(job.withFlinkStateSnapshotReference(at)));
    return new Looked(resource, null);
  }
}
