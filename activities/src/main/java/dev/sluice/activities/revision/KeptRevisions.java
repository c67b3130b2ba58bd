package dev.sluice.activities.revision;

import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.api.Labels;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.StateRef;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The ControllerRevisions that {@link SpecRevisions} keeps. Blocks for one call. */
public final class KeptRevisions {

  private final KubernetesClient client;

  /**
   * @param client stays the caller's to close
   */
  public KeptRevisions(KubernetesClient client) {
    this.client = client;
  }

  /**
   * Where the states are that a rollback to one of them starts from. Fails as {@link
   * KubernetesFailure} says.
   */
  public Set<String> statesLeft(ResourceRef ref) {
    return KubernetesFailure.told(
        "list the specs that are kept of " + ref.display(),
        () ->
            of(ref).stream()
                .map(SpecRevisions::left)
                .filter(Objects::nonNull)
                .map(StateRef::pathOrNull)
                .filter(Objects::nonNull)
                .collect(Collectors.toUnmodifiableSet()));
  }

  /** Those of this instance of the resource. */
  List<ControllerRevision> of(ResourceRef ref) {
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

  /** By which they are found. */
  static Map<String, String> labels(ResourceRef ref) {
    return Map.of(Labels.RESOURCE_KIND, ref.kind(), Labels.RESOURCE_NAME, ref.name());
  }
}
