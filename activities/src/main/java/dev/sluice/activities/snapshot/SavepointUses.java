package dev.sluice.activities.snapshot;

import dev.sluice.activities.deployment.NeededPaths;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.resource.Needs;
import dev.sluice.api.Annotations;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.snapshot.Disposal;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which resources of a Kubernetes cluster may need which savepoint. Pure; an index by the names of
 * the savepoints, so that a look-up costs the same for thousands of resources.
 */
final class SavepointUses {

  private final Map<String, String> bySnapshot = new HashMap<>();
  private final Map<String, String> byPath = new HashMap<>();
  private final Map<String, String> unreadable = new HashMap<>();
  private final Map<String, List<FlinkStateSnapshot>> snapshots = new HashMap<>();

  /** A job may be started from these. */
  void add(Needs needs) {
    needs.snapshots().forEach(it -> bySnapshot.put(it, needs.by()));
    needs.paths().forEach(it -> byPath.put(RestoredPath.nameOf(it), needs.by()));
    needs.unreadable().forEach(it -> unreadable.put(it, needs.by()));
  }

  /** These files are also of that snapshot. */
  void add(FlinkStateSnapshot snapshot) {
    NeededPaths.pathsOf(snapshot)
        .map(RestoredPath::nameOf)
        .distinct()
        .forEach(it -> snapshots.computeIfAbsent(it, name -> new ArrayList<>()).add(snapshot));
  }

  /**
   * What becomes of a savepoint instead of being deleted with its snapshot; empty when no other
   * resource needs it.
   *
   * @param path of it, which the status of the snapshot need not tell
   */
  Optional<Disposal> insteadOf(FlinkStateSnapshot snapshot, String path) {
    String name = RestoredPath.nameOf(path);
    List<FlinkStateSnapshot> same =
        snapshots.getOrDefault(name, List.of()).stream()
            .filter(it -> NeededPaths.isOfSame(snapshot, path, it))
            .toList();
    return Stream.of(
            startedFrom(name, Stream.concat(Stream.of(snapshot), same.stream()).toList()),
            kept(same),
            leftTo(snapshot, same))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<Disposal> startedFrom(String path, List<FlinkStateSnapshot> snapshots) {
    return Stream.concat(
            Stream.ofNullable(byPath.get(path)),
            Stream.concat(
                snapshots.stream().flatMap(it -> Stream.ofNullable(bySnapshot.get(display(it)))),
                unreadable.entrySet().stream()
                    .filter(it -> isIn(it.getKey(), path, snapshots))
                    .map(Map.Entry::getValue)))
        .findFirst()
        .map(by -> new Disposal.Impossible(by + " may still be started from it"));
  }

  private static boolean isIn(String text, String path, List<FlinkStateSnapshot> snapshots) {
    return text.contains(path)
        || snapshots.stream().anyMatch(it -> text.contains(it.getMetadata().getName()));
  }

  private static Optional<Disposal> kept(List<FlinkStateSnapshot> same) {
    return same.stream()
        .filter(it -> !isDisposedOf(it))
        .findFirst()
        .map(
            it ->
                new Disposal.Impossible(
                    "another FlinkStateSnapshot, %s, has the same path".formatted(display(it))));
  }

  /** Of several that go at the same time exactly one tries to delete the files. */
  private static Optional<Disposal> leftTo(
      FlinkStateSnapshot snapshot, List<FlinkStateSnapshot> same) {
    String uid = snapshot.getMetadata().getUid();
    return same.stream()
        .filter(it -> it.getMetadata().getUid().compareTo(uid) > 0)
        .findFirst()
        .map(
            it ->
                new Disposal.LeftTo(
                    "FlinkStateSnapshot %s, which has the same path and is being deleted, too: its events say what becomes of the files"
                        .formatted(display(it))));
  }

  /** Whether its own run is about to delete its files. */
  private static boolean isDisposedOf(FlinkStateSnapshot snapshot) {
    ObjectMeta metadata = snapshot.getMetadata();
    return metadata.getDeletionTimestamp() != null
        && metadata.getFinalizers().contains(FlinkStateSnapshot.FINALIZER)
        && !Annotations.forcesDeletion(metadata)
        && snapshot.getSpec().isDisposedWithResource()
        && snapshot.getSpec().jobReference() != null
        && snapshot.getStatus().path() != null;
  }

  private static String display(FlinkStateSnapshot snapshot) {
    return snapshot.getMetadata().getNamespace() + "/" + snapshot.getMetadata().getName();
  }
}
