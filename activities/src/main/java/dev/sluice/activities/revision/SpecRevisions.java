package dev.sluice.activities.revision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.RecordedState;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the specs that a resource left as ControllerRevisions, which Kubernetes deletes with the
 * resource. Blocks for two or three calls to the API server.
 */
public final class SpecRevisions {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final KeptRevisions kept;
  private final Deletion deletion;
  private final int limit;

  /**
   * @param limit how many are kept of each resource, at least 1
   */
  public SpecRevisions(KubernetesClient client, int limit) {
    this.client = client;
    this.kept = new KeptRevisions(client);
    this.deletion = new Deletion(client);
    this.limit = limit;
  }

  /**
   * Keeps the spec that was stable until now, before another one takes its place in the status.
   * Deletes the oldest ones that are too many.
   *
   * @param left it, and what its job left
   */
  public void keep(ResourceType type, ResourceRef ref, SpecRevision left) {
    KubernetesFailure.told(
        "keep the spec of generation %d of %s".formatted(left.generation(), ref.display()),
        () -> {
          client.resource(revision(type, ref, left)).patch(Apply.context());
          kept.of(ref).stream()
              .filter(it -> it.getRevision() != left.generation())
              .sorted(Comparator.comparingLong(ControllerRevision::getRevision).reversed())
              .skip(limit - 1L)
              .forEach(deletion::delete);
        });
  }

  /** All that are kept of this instance of the resource, and can be read. */
  public List<SpecRevision> known(ResourceRef ref, StoredResource resource) {
    return KubernetesFailure.told(
        "list the specs that are kept of " + ref.display(),
        () ->
            kept.of(ref).stream().map(it -> read(it, resource)).flatMap(Optional::stream).toList());
  }

  /** The uid tells it from that of an earlier resource of the same name. */
  private static String name(ResourceRef ref, long generation) {
    return "%s-%s-%d".formatted(ref.name(), ref.shortUid(), generation);
  }

  private static ControllerRevision revision(
      ResourceType type, ResourceRef ref, SpecRevision left) {
    long generation = left.generation();
    return new ControllerRevisionBuilder()
        .withMetadata(
            new ObjectMetaBuilder()
                .withNamespace(ref.namespace())
                .withName(name(ref, generation))
                .withLabels(KeptRevisions.labels(ref))
                .withAnnotations(annotations(left))
                .withOwnerReferences(
                    new OwnerReferenceBuilder()
                        .withApiVersion(type.apiVersion())
                        .withKind(type.kind())
                        .withName(ref.name())
                        .withUid(ref.uid())
                        .build())
                .build())
        .withRevision(generation)
        .withData(tree(left.spec().json()))
        .build();
  }

  private static Map<String, String> annotations(SpecRevision left) {
    Map<String, String> annotations = new HashMap<>();
    if (left.left() != null) {
      annotations.put(Annotations.STATE_LEFT, written(left.left()));
    }
    if (left.rolledBack()) {
      annotations.put(Annotations.ROLLED_BACK, "true");
    }
    return annotations;
  }

  private static Object tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a spec that was parsed is no JSON", impossible);
    }
  }

  private static String written(StateRef left) {
    return JSON.valueToTree(OwnedStatus.recorded(left)).toString();
  }

  private static Optional<SpecRevision> read(ControllerRevision it, StoredResource resource) {
    return resource
        .parsed(JSON.valueToTree(it.getData()).toString())
        .map(spec -> new SpecRevision(spec, left(it), isRolledBack(it)));
  }

  private static boolean isRolledBack(ControllerRevision it) {
    return "true".equals(annotation(it, Annotations.ROLLED_BACK));
  }

  private static @Nullable String annotation(ControllerRevision it, String name) {
    Map<String, String> annotations = it.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  static @Nullable StateRef left(ControllerRevision it) {
    String text = annotation(it, Annotations.STATE_LEFT);
    if (text == null) {
      return null;
    }
    try {
      return OwnedStatus.state(JSON.readValue(text, RecordedState.class));
    } catch (JsonProcessingException unreadable) {
      return null; // written by hand, or by an operator that is newer
    }
  }
}
