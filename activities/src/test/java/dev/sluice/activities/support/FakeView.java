package dev.sluice.activities.support;

import dev.sluice.activities.cluster.ClusterCache;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster on Kubernetes as the test says it is. */
public final class FakeView implements ClusterCache {

  public final List<Pod> pods = new ArrayList<>();
  public @Nullable Deployment deployment;
  public @Nullable Deployment taskManagers;
  public boolean synced = true;

  @Override
  public Optional<Deployment> deployment(ClusterRef cluster) {
    return Optional.ofNullable(deployment);
  }

  @Override
  public Optional<Deployment> taskManagers(ClusterRef cluster) {
    return Optional.ofNullable(taskManagers);
  }

  @Override
  public List<Pod> pods(ClusterRef cluster) {
    return List.copyOf(pods);
  }

  @Override
  public boolean synced() {
    return synced;
  }
}
