package dev.sluice.activities.flink;

import dev.sluice.testing.OnePerRun;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One Flink of each version for all test classes that ask for it: they must leave jobs of others
 * alone.
 */
public final class SharedClusters implements AutoCloseable {

  private final ConcurrentMap<FlinkVersion, FlinkCluster> clusters = new ConcurrentHashMap<>();

  private SharedClusters() {}

  /** The cluster of a version; the first who asks waits until it has started. */
  public FlinkCluster of(FlinkVersion version) {
    return clusters.computeIfAbsent(version, FlinkCluster::start);
  }

  @Override
  public void close() {
    clusters.values().forEach(FlinkCluster::close);
  }

  /** Hands them to every test class whose constructor has a parameter for them. */
  public static final class Extension extends OnePerRun<SharedClusters> {

    /** For JUnit. */
    public Extension() {
      super(SharedClusters.class, SharedClusters::new);
    }
  }
}
