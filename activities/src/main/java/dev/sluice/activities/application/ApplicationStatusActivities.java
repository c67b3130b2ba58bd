package dev.sluice.activities.application;

import dev.sluice.workflows.activity.OperationReport;
import dev.sluice.workflows.application.ApplicationActivities.FreezeVersionRequest;
import dev.sluice.workflows.application.ApplicationActivities.RecordVersionsRequest;
import dev.sluice.workflows.application.ApplicationActivities.VersionRequest;
import dev.sluice.workflows.application.ApplicationRecord;
import dev.sluice.workflows.application.ApplicationSeen.LyftLeft;
import dev.sluice.workflows.application.FreezeVersionResult;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The activities that read and write an application's resource. Each blocks for a moment. */
public final class ApplicationStatusActivities {

  private final FlinkApplicationStore store;
  private final ApplicationStatusWriter writer;
  private final VersionClusters clusters;
  private final ApplicationRules rules;
  private final VersionFreeze freeze;
  private final LyftAdoption adoption;

  /**
   * @param clusters what Kubernetes says of clusters
   * @param rules by which specs are read
   */
  public ApplicationStatusActivities(
      KubernetesClient client, VersionClusters clusters, ApplicationRules rules, Clock clock) {
    this.store = new FlinkApplicationStore(client);
    this.writer = new ApplicationStatusWriter(client, store, clock);
    this.clusters = clusters;
    this.rules = rules;
    this.freeze =
        new VersionFreeze(store, writer, VersionFreeze.Clusters.of(clusters), rules, clock);
    this.adoption = new LyftAdoption(writer, this::whole, rules, clock);
  }

  private List<VersionRef> whole(StoredApplication application) {
    return clusters.leftovers(application.ref(), Set.of()).stream()
        .filter(it -> clusters.look(application.ref(), it).isThere())
        .toList();
  }

  StoredApplication read(ResourceRef ref) {
    return store.read(ref);
  }

  StoredApplication planned(VersionRequest request) {
    return store.planned(request);
  }

  FreezeVersionResult freeze(FreezeVersionRequest request) {
    return freeze.freeze(request);
  }

  FreezeVersionResult adopt(FreezeVersionRequest request) {
    return adoption.adopt(request);
  }

  void record(RecordVersionsRequest request) {
    writer.record(request);
  }

  void report(OperationReport report) {
    writer.report(report);
  }

  /** What an observation of that application asks of Kubernetes. */
  ApplicationObservation.Kubernetes kubernetes(ResourceRef ref) {
    return new ApplicationObservation.Kubernetes() {
      @Override
      public VersionLook look(ApplicationRecord record, VersionRef version) {
        return clusters.look(ref, version, record.onClusterOf(version));
      }

      @Override
      public List<VersionRef> leftovers(Set<String> but) {
        return clusters.leftovers(ref, but);
      }

      @Override
      public @Nullable LyftLeft lyft(StoredApplication application) {
        return adoption.left(application);
      }

      @Override
      public WantedVersion newest(StoredApplication application) {
        return new WantedVersion(application, rules);
      }
    };
  }
}
