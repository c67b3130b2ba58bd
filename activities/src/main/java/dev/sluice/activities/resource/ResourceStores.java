package dev.sluice.activities.resource;

import dev.sluice.workflows.model.ResourceRef;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The store of each kind, always in the same order. */
public final class ResourceStores {

  private final Map<String, ResourceStore> byKind = new LinkedHashMap<>();

  /**
   * @param stores one for each kind
   */
  public ResourceStores(Collection<ResourceStore> stores) {
    stores.forEach(it -> byKind.put(it.type().kind(), it));
  }

  /** Those of all kinds, as they were given. */
  public Collection<ResourceStore> all() {
    return Collections.unmodifiableCollection(byKind.values());
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
