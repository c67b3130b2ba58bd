package dev.sluice.local.node.container;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a pod's volumes and environment are made of: objects of the pod's own namespace. */
public interface Sources {
  enum Kind {
    CONFIGMAP,
    SECRET;

    /** As in the kubelet's messages. */
    @Override
    public String toString() {
      return this == CONFIGMAP ? "configmap" : "secret";
    }
  }

  /** The keys of the object of that name and what they hold; empty when there is none. */
  Optional<Map<String, byte[]>> read(Kind kind, String name) throws StartProblem;

  /**
   * The same, in a stable order; nothing when the object is missing and that is allowed.
   *
   * @param reason the kubelet's word when it is missing
   */
  default Map<String, byte[]> read(
      Kind kind, String name, @Nullable Boolean optional, String reason) throws StartProblem {
    Optional<Map<String, byte[]>> found = read(kind, name);
    if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new StartProblem(reason, "%s \"%s\" not found".formatted(kind, name));
    }
    return new TreeMap<>(found.orElse(Map.of()));
  }
}
