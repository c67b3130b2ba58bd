package dev.sluice.controller.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The resources of all kinds whose jobs may be started from a snapshot, as their reconcilers know
 * them. May be used from any thread.
 */
public final class KnownJobs {

  private final List<Supplier<? extends Collection<? extends HasMetadata>>> kinds =
      new CopyOnWriteArrayList<>();

  /** Those of another kind. */
  void add(Supplier<? extends Collection<? extends HasMetadata>> kind) {
    kinds.add(kind);
  }

  /** All of them, as they are now. */
  Collection<HasMetadata> all() {
    return kinds.stream().flatMap(it -> it.get().stream()).<HasMetadata>map(it -> it).toList();
  }
}
