package dev.sluice.activities.resource;

import dev.sluice.workflows.model.ResourceRef;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The store of each kind. */
public final class ResourceStores {

  private final Map<String, ResourceStore> byKind;

  /**
   * @param stores one for each kind
   */
  public ResourceStores(Collection<ResourceStore> stores) {
    byKind =
        stores.stream()
            .collect(Collectors.toUnmodifiableMap(it -> it.type().kind(), Function.identity()));
  }

  /** Those of all kinds. */
  public Collection<ResourceStore> all() {
    return byKind.values();
  }

  /**
   * The store of a resource's kind.
   *
   * @throws IllegalArgumentException for a kind that this worker does not know, as an older one may
   *     not during an update; another worker, or this one after its update, does
   */
  public ResourceStore of(ResourceRef ref) {
    ResourceStore store = byKind.get(ref.kind());
    if (store == null) {
      throw new IllegalArgumentException("this worker does not know the kind " + ref.kind());
    }
    return store;
  }
}
