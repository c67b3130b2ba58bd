package dev.sluice.activities.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.api.Annotations;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.api.snapshot.SavepointSpec;
import dev.sluice.workflows.activity.FailureType;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the resources that name a savepoint in their spec or status (FLINK-38033): its files must
 * not be deleted. Each mention counts.
 */
public final class SavepointReferences {

  private static final Pattern CHECKPOINT = Pattern.compile(".*/chk-\\d+/*");
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  /** Fields that report what was taken or done, and from which nothing is started. */
  private static final Set<String> REPORTS =
      Set.of("conditions", "error", "operation", "snapshots", "snapshotTriggers");

  private final List<AllResources<? extends HasMetadata>> kinds;

  /**
   * @param kinds whose resources may name one: all of them
   * @param namespaces that Sluice serves; empty: all of them
   */
  public SavepointReferences(
      KubernetesClient client, List<Class<? extends HasMetadata>> kinds, Set<String> namespaces) {
    this.kinds =
        kinds.stream()
            .<AllResources<? extends HasMetadata>>map(
                kind -> new AllResources<>(client, kind, namespaces))
            .toList();
  }

  /**
   * A savepoint that is about to be deleted.
   *
   * @param path of it
   * @param snapshot that it is of; null when it has none
   */
  public record Target(String path, @Nullable FlinkStateSnapshot snapshot) {

    /** Whether both are the same savepoint, whatever storage they name; null is none. */
    public boolean isAt(@Nullable String other) {
      if (other == null) {
        return false;
      }
      // checkpoints of all jobs have the same few names
      return CHECKPOINT.matcher(path).matches()
          ? path.equals(other.trim())
          : RestoredPath.haveSameName(path, other);
    }

    /** Whether it, or its snapshot, is named anywhere in that JSON; in doubt it is. */
    private boolean isIn(String json) {
      String location = CHECKPOINT.matcher(path).matches() ? path : "/" + RestoredPath.nameOf(path);
      return has(json, Pattern.quote(location) + "(?![\\w.-])")
          || (snapshot != null
              && has(
                  json,
                  "\"name\"\\s*:\\s*\"%s\""
                      .formatted(Pattern.quote(snapshot.getMetadata().getName()))));
    }

    private static boolean has(String json, String pattern) {
      return Pattern.compile(pattern).matcher(json).find();
    }
  }

  /**
   * Why the files must stay; empty when no resource of a watched namespace names them. Blocks for a
   * call for each hundred resources, and fails when Kubernetes does not answer.
   */
  Optional<String> whyKept(Target target) {
    List<String> by = new ArrayList<>();
    try {
      kinds.forEach(
          kind -> kind.forEachServed(it -> by.addAll(named(it, target).stream().toList())));
    } catch (ApplicationFailure failed) {
      if (!FailureType.REFUSED.equals(failed.getType())) {
        throw failed;
      }
      return Optional.of("it is not known who needs it: " + failed.getOriginalMessage());
    }
    return by.stream().findFirst().map(it -> it + " names it");
  }

  /** The resource, in words, if it names that savepoint. */
  public static Optional<String> named(HasMetadata resource, Target target) {
    boolean names =
        resource instanceof FlinkStateSnapshot other
            ? isOfSame(other, target)
            : isNamed(resource, target);
    ObjectMeta metadata = resource.getMetadata();
    return names
        ? Optional.of(
            "%s %s/%s".formatted(resource.getKind(), metadata.getNamespace(), metadata.getName()))
        : Optional.empty();
  }

  /** One that is about to dispose of the same files does not need them. */
  private static boolean isOfSame(FlinkStateSnapshot other, Target target) {
    ObjectMeta metadata = other.getMetadata();
    boolean disposes =
        metadata.getDeletionTimestamp() != null
            && metadata.getFinalizers().contains(FlinkStateSnapshot.FINALIZER)
            && other.getSpec().isDisposedWithResource();
    SavepointSpec savepoint = other.getSpec().savepoint();
    boolean exists = savepoint != null && savepoint.exists();
    return !disposes
        && savepoint != null
        && (target.snapshot == null
            || !Objects.equals(metadata.getUid(), target.snapshot.getMetadata().getUid()))
        && (target.isAt(other.getStatus().path())
            || (exists && target.isAt(savepoint.pathOrNull())));
  }

  /** Specs that were deployed are JSON in a text, which may have others in it. */
  private static boolean isNamed(HasMetadata resource, Target target) {
    ObjectNode json = SERIALIZATION.convertValue(resource, ObjectNode.class);
    String chosen = Annotations.of(resource, Annotations.RESTORE_FROM);
    if (json.get("status") instanceof ObjectNode status) {
      status.remove(REPORTS);
      if (status.at("/jobStatus/savepointInfo") instanceof ObjectNode info) {
        info.remove("savepointHistory");
      }
    }
    String text = "%s %s".formatted(json.path("spec"), json.path("status")).replace("\\", "");
    return target.isAt(chosen) || target.isIn(text);
  }
}
