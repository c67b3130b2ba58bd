package dev.sluice.activities.cluster;

/**
 * What is known of clusters without asking the API server: from memory, at once, and possibly a
 * moment old. Before an effect that a stale answer would spoil, ask the API server.
 */
public interface ClusterCache extends ClusterView {

  /**
   * Whether everything that exists is known here: false right after the start, and while the API
   * server cannot be watched. Nothing may be given up then because it is not here.
   */
  boolean synced();
}
