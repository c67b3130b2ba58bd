package dev.sluice.activities.deployment;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.SnapshotReference;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.FlinkStateSnapshotStatus;
import dev.sluice.api.snapshot.SnapshotState;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the FlinkStateSnapshot that {@code spec.job.flinkStateSnapshotReference} names. The path
 * is frozen with the spec: once a start was decided, nothing that becomes of the snapshot changes
 * it.
 */
public final class StartSnapshot {

  /** Finds none: for who has no API server. */
  public static final StartSnapshot NONE =
      new StartSnapshot((namespace, name) -> new Answer(null, "cannot be looked up here"));

  private static final String FIELD = "spec.job.flinkStateSnapshotReference";
  private static final int FORBIDDEN = 403;

  private final Lookup lookup;

  StartSnapshot(Lookup lookup) {
    this.lookup = lookup;
  }

  /** Asks the API server: blocks for one call. */
  public static StartSnapshot from(KubernetesClient client) {
    return new StartSnapshot(
        (namespace, name) ->
            KubernetesFailure.translate(
                "read FlinkStateSnapshot %s/%s".formatted(namespace, name),
                () -> ask(client, namespace, name)));
  }

  interface Lookup {
    Answer of(String namespace, String name);
  }

  /**
   * @param path of the snapshot; null when nothing can start from it
   * @param problem why not, as the end of a sentence
   */
  record Answer(@Nullable String path, String problem) {}

  /**
   * The job of the newest spec.
   *
   * @param job with the path in its reference, where that is known; null when the spec has none
   * @param problem why it is not known; null when it is, or no job is started from it
   */
  public record Start(@Nullable JobSpec job, @Nullable String problem) {}

  /**
   * Looks it up, unless that is not needed.
   *
   * @param job of the newest spec; null when it has none
   * @param own namespace of its resource
   * @param earlier jobs of the specs that were frozen: what was found for the same start is in them
   * @param decides whether a job is to be started from it: otherwise it is not looked up
   */
  public Start of(
      @Nullable JobSpec job, String own, Stream<JobSpec> earlier, BooleanSupplier decides) {
    SnapshotReference reference = job == null ? null : job.flinkStateSnapshotReference();
    if (job == null || reference == null || !reference.isToBeLookedUp()) {
      return new Start(job, null);
    }
    Optional<String> known = known(earlier, job, reference);
    if (known.isPresent()) {
      return found(job, reference.at(known.get()));
    }
    if (!reference.isNamedWell() || !decides.getAsBoolean()) {
      return new Start(job, null); // a name that is none is refused where a spec is validated
    }
    String namespace = Objects.requireNonNullElse(reference.namespace(), own);
    String name = Objects.requireNonNull(reference.name());
    Answer answer = lookup.of(namespace, name);
    return answer.path() == null
        ? new Start(
            job,
            "%s: FlinkStateSnapshot %s/%s %s".formatted(FIELD, namespace, name, answer.problem()))
        : found(job, reference.at(answer.path()));
  }

  private static Answer ask(KubernetesClient client, String namespace, String name) {
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
    if (snapshot == null) {
      return new Answer(null, "does not exist. Create it, or name another one");
    }
    return snapshot.getMetadata().getDeletionTimestamp() == null
        ? answer(snapshot.getStatus())
        : new Answer(null, "is being deleted. Name another one");
  }

  private static Answer answer(FlinkStateSnapshotStatus status) {
    SnapshotState state = status.stateOrPending();
    return switch (state) {
      case COMPLETED -> new Answer(status.path(), "has no path. Name another one");
      case FAILED, ABANDONED -> new Answer(null, "is " + state + ". Name another one");
      case TRIGGER_PENDING, IN_PROGRESS ->
          new Answer(null, "is not COMPLETED yet. Annotate with sluice.dev/retry when it is");
    };
  }

  /** What was found for the same start before. Another redeployment is another start. */
  private static Optional<String> known(
      Stream<JobSpec> earlier, JobSpec job, SnapshotReference reference) {
    return earlier
        .filter(it -> Objects.equals(it.savepointRedeployNonce(), job.savepointRedeployNonce()))
        .flatMap(it -> Stream.ofNullable(it.flinkStateSnapshotReference()))
        .filter(it -> it.hasSameName(reference))
        .flatMap(it -> Stream.ofNullable(it.path()))
        .findFirst();
  }

  private static Start found(JobSpec job, SnapshotReference at) {
    return new Start(job.withFlinkStateSnapshotReference(at), null);
  }
}
