package dev.sluice.controller.common;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The resources of all kinds that are reconciled, as the caches have them. */
public final class KnownResources {

  private final Map<Class<?>, Supplier<? extends Stream<? extends HasMetadata>>> kinds =
      new ConcurrentHashMap<>();

  /** From now on a kind is known. */
  public <R extends HasMetadata> void add(Class<R> kind, Supplier<Stream<R>> resources) {
    kinds.put(kind, resources);
  }

  /** All of them, as they are now. */
  public Stream<HasMetadata> all() {
    return kinds.values().stream().flatMap(Supplier::get);
  }
}
