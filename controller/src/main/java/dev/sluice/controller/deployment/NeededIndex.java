package dev.sluice.controller.deployment;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.activities.sessionjob.SessionJobNeeds;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which resources may be started from a snapshot. All reconciliations share it: each version of a
 * resource is read once, however many ask, because its frozen specs have to be parsed. No answer is
 * older than the resources that are given. May be used from any thread.
 */
final class NeededIndex {

  private final Function<HasMetadata, NeededPaths> read;
  private final ConcurrentMap<String, Read> known = new ConcurrentHashMap<>();

  NeededIndex() {
    this(NeededIndex::read);
  }

  private static NeededPaths read(HasMetadata resource) {
    return resource instanceof FlinkSessionJob job
        ? NeededPaths.of(SessionJobNeeds.of(job))
        : NeededPaths.of(List.of((FlinkDeployment) resource));
  }

  /**
   * @param read parses the specs of a resource
   */
  NeededIndex(Function<HasMetadata, NeededPaths> read) {
    this.read = read;
  }

  private record Read(String version, NeededPaths paths) {}

  /** Whether one of them may be started from it. */
  boolean isNeeded(FlinkStateSnapshot snapshot, Collection<? extends HasMetadata> all) {
    if (known.size() > all.size()) {
      Set<String> there =
          all.stream().map(it -> it.getMetadata().getUid()).collect(Collectors.toSet());
      boolean unused = known.keySet().retainAll(there);
    }
    return all.stream().anyMatch(it -> isNeeded(snapshot, it));
  }

  /** Whether that resource may be started from it. */
  boolean isNeeded(FlinkStateSnapshot snapshot, HasMetadata by) {
    return of(by).contain(snapshot);
  }

  private NeededPaths of(HasMetadata resource) {
    ObjectMeta metadata = resource.getMetadata();
    String version = metadata.getResourceVersion();
    return version == null
        ? read.apply(resource)
        : known.compute(
                metadata.getUid(),
                (uid, before) ->
                    before != null && before.version.equals(version)
                        ? before
                        : new Read(version, read.apply(resource)))
            .paths;
  }
}
