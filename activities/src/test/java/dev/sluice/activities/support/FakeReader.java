package dev.sluice.activities.support;

import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A cluster as the API server has it, as the test says. */
public final class FakeReader implements LiveClusters {

  public final List<Pod> pods = new ArrayList<>();
  public @Nullable Deployment deployment;
  public @Nullable Deployment taskManagers;

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
  public List<ConfigMap> highAvailability(ClusterRef cluster) {
    return List.of();
  }
}
