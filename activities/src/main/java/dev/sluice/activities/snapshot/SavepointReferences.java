package dev.sluice.activities.snapshot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.kubernetes.AllResources;
import dev.sluice.api.Annotations;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds the resources that name a savepoint in their spec or status (FLINK-38033): its files must
 * not be deleted. Where a resource says nothing that can be read as JSON, each mention counts.
 */
public final class SavepointReferences {

  /** The kinds whose resources may name one. */
  public static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          FlinkDeployment.class,
          FlinkSessionJob.class,
          FlinkStateSnapshot.class,
          FlinkBlueGreenDeployment.class,
          FlinkApplication.class);

  private static final Pattern CHECKPOINT = Pattern.compile(".*/chk-\\d+/*");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

  /** Fields that report what was taken or done, and from which nothing is started. */
  private static final Set<String> REPORTS =
      Set.of(
          "conditions", "error", "operation", "savepointHistory", "snapshots", "snapshotTriggers");

  private final List<AllResources<? extends HasMetadata>> kinds;

  /**
   * @param namespaces that Sluice serves; empty: all of them
   */
  SavepointReferences(KubernetesClient client, Set<String> namespaces) {
    this.kinds =
        KINDS.stream()
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

  private static boolean isNamed(HasMetadata resource, Target target) {
    JsonNode json = SERIALIZATION.convertValue(resource, JsonNode.class);
    Map<String, String> annotations = resource.getMetadata().getAnnotations();
    String chosen = annotations == null ? null : annotations.get(Annotations.RESTORE_FROM);
    String namespace = resource.getMetadata().getNamespace();
    return target.isAt(chosen)
        || Stream.of("spec", "status").anyMatch(field -> isIn(json.path(field), namespace, target));
  }

  private static boolean isIn(JsonNode node, String namespace, Target target) {
    if (node.isTextual()) {
      return isIn(node.textValue(), namespace, target);
    }
    if (node.isObject()) {
      return node.properties().stream()
          .filter(it -> !REPORTS.contains(it.getKey()))
          .anyMatch(
              it ->
                  isReference(it.getKey(), it.getValue(), namespace, target)
                      || isIn(it.getValue(), namespace, target));
    }
    return StreamSupport.stream(node.spliterator(), false)
        .anyMatch(it -> isIn(it, namespace, target));
  }

  /** Specs that were deployed are JSON in a text. */
  private static boolean isIn(String text, String namespace, Target target) {
    if (!text.startsWith("{")) {
      return text.contains("/") && target.isAt(text);
    }
    try {
      return isIn(JSON.readTree(text), namespace, target);
    } catch (JsonProcessingException unreadable) {
      return text.contains(RestoredPath.nameOf(target.path))
          || (target.snapshot != null && text.contains(target.snapshot.getMetadata().getName()));
    }
  }

  private static boolean isReference(
      String field, JsonNode value, String namespace, Target target) {
    ObjectMeta metadata = target.snapshot == null ? null : target.snapshot.getMetadata();
    return metadata != null
        && field.equals("flinkStateSnapshotReference")
        && Objects.equals(metadata.getName(), value.path("name").textValue())
        && Objects.equals(metadata.getNamespace(), value.path("namespace").asText(namespace));
  }
}
