package dev.sluice.activities.revision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.activities.kubernetes.Apply;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.kubernetes.ResourceType;
import dev.sluice.activities.resource.OwnedStatus;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.activities.resource.TargetSpec;
import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.common.RecordedState;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.workflows.model.Observation.Phase;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.api.model.apps.ControllerRevisionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.temporal.failure.ApplicationFailure;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The specs that a resource left, kept as ControllerRevisions, which Kubernetes deletes with the
 * resource. Every method blocks for one to three calls to the API server, and fails as {@link
 * KubernetesFailure} says.
 */
public final class SpecRevisions {

  private static final Logger LOG = LoggerFactory.getLogger(SpecRevisions.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final Deletion deletion;

  /**
   * @param client stays the caller's to close
   */
  public SpecRevisions(KubernetesClient client) {
    this.client = client;
    this.deletion = new Deletion(client);
  }

  /**
   * A spec that a resource had, and left.
   *
   * @param spec the spec
   * @param left the state that its job left; null when that is not known
   * @param rolledBack it was left for an earlier one, by a rollback
   */
  public record SpecRevision(TargetSpec spec, @Nullable StateRef left, boolean rolledBack) {

    /** {@code metadata.generation} of the spec. */
    public long generation() {
      return spec.target().generation();
    }
  }

  /**
   * Keeps the spec that was stable until now, before another one takes its place in the status.
   * Deletes the oldest ones that are too many. What cannot be kept is logged: the new spec runs.
   *
   * @param limit how many are kept of each resource, at least 1
   */
  public void keepStable(ResourceType type, ResourceRef ref, StoredResource resource, int limit) {
    long frozen = resource.frozen().map(it -> it.target().generation()).orElse(0L);
    resource
        .stable()
        .filter(it -> !it.target().suspended() && it.target().generation() != frozen)
        .ifPresent(
            it -> {
              try {
                keep(type, ref, left(resource, it, frozen), limit);
              } catch (ApplicationFailure | KubernetesClientException failed) {
                LOG.warn(
                    "{} cannot be rolled back to generation {}, which is not kept: {}",
                    ref.display(),
                    it.target().generation(),
                    failed.getMessage());
              }
            });
  }

  private static SpecRevision left(StoredResource resource, TargetSpec spec, long frozen) {
    boolean goesBack = resource.observed().phase() == Phase.ROLLING_BACK;
    return new SpecRevision(
        spec,
        goesBack ? null : state(resource, spec),
        goesBack && spec.target().generation() > frozen);
  }

  /** Null where the state was given up, or belongs to what is rolled back. */
  private static @Nullable StateRef state(StoredResource resource, TargetSpec spec) {
    RestorePoint recorded = resource.status().restorePoint();
    StateRef left = recorded == null ? null : recorded.leftByStable();
    boolean stateless = spec.target().upgradeMode() == UpgradeMode.STATELESS;
    return left instanceof StateRef.Empty && !stateless ? null : left;
  }

  private void keep(ResourceType type, ResourceRef ref, SpecRevision left, int limit) {
    KubernetesFailure.translate(
        "keep the spec of generation %d of %s".formatted(left.generation(), ref.display()),
        () -> {
          client.resource(revision(type, ref, left)).patch(Apply.context());
          all(ref).stream()
              .filter(it -> it.getRevision() != left.generation())
              .sorted(Comparator.comparingLong(ControllerRevision::getRevision).reversed())
              .skip(limit - 1L)
              .forEach(deletion::delete);
        });
  }

  /** All that are kept of this instance of the resource, and can be read. */
  public List<SpecRevision> known(ResourceRef ref, StoredResource resource) {
    return listed(ref).stream().map(it -> read(it, resource)).flatMap(Optional::stream).toList();
  }

  /** Where the states are that a rollback to one of them starts from. */
  public Set<String> statesLeft(ResourceRef ref) {
    return listed(ref).stream()
        .map(SpecRevisions::left)
        .filter(Objects::nonNull)
        .map(StateRef::pathOrNull)
        .filter(Objects::nonNull)
        .collect(Collectors.toUnmodifiableSet());
  }

  private List<ControllerRevision> listed(ResourceRef ref) {
    return KubernetesFailure.translate(
        "list the specs that are kept of " + ref.display(), () -> all(ref));
  }

  /** Those of this instance of the resource. */
  private List<ControllerRevision> all(ResourceRef ref) {
    return client
        .apps()
        .controllerRevisions()
        .inNamespace(ref.namespace())
        .withLabels(labels(ref))
        .list()
        .getItems()
        .stream()
        .filter(
            it ->
                it.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> ref.uid().equals(owner.getUid())))
        .toList();
  }

  private static Map<String, String> labels(ResourceRef ref) {
    return Map.of(Labels.RESOURCE_KIND, ref.kind(), Labels.RESOURCE_NAME, ref.name());
  }

  private static ControllerRevision revision(
      ResourceType type, ResourceRef ref, SpecRevision left) {
    StateRef state = left.left();
    Map<String, String> annotations = new HashMap<>();
    if (state != null) {
      annotations.put(
          Annotations.STATE_LEFT, JSON.valueToTree(OwnedStatus.recorded(state)).toString());
    }
    if (left.rolledBack()) {
      annotations.put(Annotations.ROLLED_BACK, "true");
    }
    return new ControllerRevisionBuilder()
        .withNewMetadata()
        .withNamespace(ref.namespace())
        // the uid distinguishes it from that of an earlier resource of the same name
        .withName("%s-%s-%d".formatted(ref.name(), ref.shortUid(), left.generation()))
        .withLabels(labels(ref))
        .withAnnotations(annotations)
        .addNewOwnerReference()
        .withApiVersion(type.apiVersion())
        .withKind(type.kind())
        .withName(ref.name())
        .withUid(ref.uid())
        .endOwnerReference()
        .endMetadata()
        .withRevision(left.generation())
        .withData(parsed(left.spec().json(), JsonNode.class))
        .build();
  }

  /** Null for what was written by hand, or by an operator that is newer. */
  private static <T> @Nullable T parsed(String json, Class<T> as) {
    try {
      return JSON.readValue(json, as);
    } catch (JsonProcessingException unreadable) {
      return null;
    }
  }

  private static Optional<SpecRevision> read(ControllerRevision it, StoredResource resource) {
    return resource
        .parsed(JSON.valueToTree(it.getData()).toString())
        .map(
            spec ->
                new SpecRevision(
                    spec, left(it), "true".equals(Annotations.of(it, Annotations.ROLLED_BACK))));
  }

  private static @Nullable StateRef left(ControllerRevision it) {
    String text = Annotations.of(it, Annotations.STATE_LEFT);
    if (text == null) {
      return null;
    }
    RecordedState recorded = parsed(text, RecordedState.class);
    return recorded == null ? null : OwnedStatus.state(recorded);
  }
}
