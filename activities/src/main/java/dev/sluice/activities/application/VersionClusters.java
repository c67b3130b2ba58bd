package dev.sluice.activities.application;

import dev.sluice.activities.async.Wait;
import dev.sluice.activities.async.Watcher;
import dev.sluice.activities.cluster.ClusterAccess;
import dev.sluice.activities.flink.Endpoint;
import dev.sluice.activities.flink.FlinkRest;
import dev.sluice.activities.kubernetes.EffectWindow;
import dev.sluice.activities.manifest.application.ApplicationOptions;
import dev.sluice.activities.manifest.application.VersionRenderer;
import dev.sluice.activities.manifest.application.VersionTarget;
import dev.sluice.api.application.Colour;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.application.VersionReady;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clusters of an application's versions on Kubernetes: names, checks, makes, watches, scales,
 * serves and deletes them. Whether the status stands as the call was planned for is the caller's to
 * look. Every method but {@link #await} and {@link #delete} blocks for some calls to the API
 * server.
 */
public final class VersionClusters {

  private final KubernetesClient client;
  private final ClusterAccess access;
  private final FlinkRest flink;
  private final Watcher watcher;
  private final VersionRenderer renderer;
  private final VersionReader reader;
  private final VersionNaming naming;
  private final VersionInventory inventory;

  /**
   * @param access to clusters of versions: by {@link VersionReader}, and by informers that know
   *     {@link VersionMembership}
   */
  public VersionClusters(
      KubernetesClient client,
      ClusterAccess access,
      FlinkRest flink,
      Watcher watcher,
      ApplicationOptions options) {
    this.client = client;
    this.access = access;
    this.flink = flink;
    this.watcher = watcher;
    this.renderer = new VersionRenderer(options);
    this.reader = new VersionReader(client);
    this.naming = new VersionNaming(reader);
    this.inventory = new VersionInventory(client, reader);
  }

  /** Where Flink of that version answers. */
  public static Endpoint endpoint(ResourceRef application, VersionRef version, int uiPort) {
    return new Endpoint(
        new ClusterRef(application.namespace(), version.cluster()),
        uiPort,
        version.cluster(),
        false);
  }

  /**
   * Chooses the hash and the cluster of a new version: another one where a Deployment of that name
   * has another full hash.
   *
   * @throws ApplicationFailure {@code NameTaken}
   */
  public VersionRef name(
      ResourceRef application,
      FlinkApplicationSpec spec,
      long generation,
      @Nullable Colour colour) {
    return naming.name(application, spec, generation, colour);
  }

  /** As {@link #name}, for a version on the cluster of the deployed one. */
  public VersionRef nameInPlace(
      ResourceRef application, FlinkApplicationSpec spec, long generation, VersionRef deployed) {
    return naming.nameInPlace(application, spec, generation, deployed);
  }

  /**
   * Why Kubernetes would not take the objects of that version, as a strict dry run with the rights
   * of this process says; empty when it would. Changes nothing.
   *
   * @throws ApplicationFailure {@code Refused} (retryable), {@code NameTaken}
   */
  public Optional<String> problem(VersionTarget target) {
    return new VersionCreation(client, renderer).problem(target);
  }

  /**
   * What {@code CreateVersion} does.
   *
   * @param planned reads the status, and fails when that stands otherwise than this was planned for
   */
  public void create(Supplier<VersionTarget> planned) {
    EffectWindow window = EffectWindow.open(access.clock());
    new VersionCreation(client, renderer).create(planned.get(), window);
  }

  /** What {@code AwaitVersion} does, by the {@link Watcher}: the return value is Temporal's. */
  public VersionReady await(VersionTarget target, long deadlineMs) {
    VersionWait wait = new VersionWait(target, access, flink, deadlineMs);
    String cluster = target.cluster().display();
    return watcher.watch(
        Wait.of(cluster, "cluster " + cluster + " to be ready", deadlineMs, wait::look)
            .timingOutAs(FailureType.CLUSTER_NOT_READY)
            .reportingTo(target.application()));
  }

  /**
   * What {@code ScaleVersion} does: target or deployed version, whichever the cluster is to be.
   *
   * @param planned as of {@link #create}
   */
  public void scale(Supplier<VersionTarget> planned) {
    EffectWindow window = EffectWindow.open(access.clock());
    new VersionScale(client, reader, planned.get()).scale(window);
  }

  /**
   * What {@code CutOver} does.
   *
   * @param planned as of {@link #create}
   */
  public void cutOver(Supplier<VersionTarget> planned) {
    EffectWindow window = EffectWindow.open(access.clock());
    new ServiceCutOver(client, reader, renderer).cutOver(planned.get(), window);
  }

  /**
   * What {@code DeleteVersion} does, by the {@link Watcher}.
   *
   * @param everything also what belongs to no version
   * @param stillPlanned looks, before anything is deleted, whether the status stands as it was
   *     planned for, and fails as {@code Outdated} or {@code ResourceGone}; blocks
   */
  public void delete(
      ResourceRef application,
      VersionRef version,
      boolean everything,
      long deadlineMs,
      Runnable stillPlanned) {
    VersionDeletion it =
        new VersionDeletion(
            client,
            reader,
            access,
            new VersionDeletion.Request(application, version, everything, deadlineMs),
            stillPlanned);
    it.begin();
    String cluster = new ClusterRef(application.namespace(), version.cluster()).display();
    Void unused =
        watcher.watch(
            Wait.of(cluster, "every pod of " + cluster + " to be gone", deadlineMs, it::look)
                .timingOutAs(FailureType.CLUSTER_NOT_GONE)
                .reportingTo(application));
  }

  /** What Kubernetes says of the cluster of a version now. */
  public VersionLook look(ResourceRef application, VersionRef version) {
    return look(application, version, List.of(version));
  }

  /**
   * The same of a cluster that may be scaled in place.
   *
   * @param onCluster the versions on it, as {@code ApplicationRecord.onClusterOf} says
   */
  public VersionLook look(ResourceRef application, VersionRef version, List<VersionRef> onCluster) {
    return inventory.look(application, version, onCluster);
  }

  /**
   * Clusters of this application that are still there.
   *
   * @param but names of clusters that are no leftovers
   */
  public List<VersionRef> leftovers(ResourceRef application, Set<String> but) {
    return inventory.leftovers(application, but);
  }

  /**
   * The cluster whose Deployments are labelled with that hash, as those say; the way to a cluster
   * that Lyft's operator has made. Empty when there is none.
   */
  public Optional<VersionRef> labelled(ResourceRef application, String hash) {
    return inventory.labelled(application, hash);
  }
}
