package dev.sluice.activities.resource;

import java.util.Set;

/**
 * What state a resource may be started from.
 *
 * @param by the resource: {@code FlinkDeployment default/orders}
 * @param snapshots the FlinkStateSnapshots that it names, each as {@code namespace/name}
 * @param paths of savepoints and checkpoints
 * @param unreadable specs that it may be started with and that cannot be read, as they are:
 *     whatever they contain the name of may be needed
 */
public record Needs(String by, Set<String> snapshots, Set<String> paths, Set<String> unreadable) {

  /** Copies all. */
  public Needs {
    snapshots = Set.copyOf(snapshots);
    paths = Set.copyOf(paths);
    unreadable = Set.copyOf(unreadable);
  }
}
