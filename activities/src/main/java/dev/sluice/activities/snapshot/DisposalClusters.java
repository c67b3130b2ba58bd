package dev.sluice.activities.snapshot;

import dev.sluice.activities.cluster.LiveClusters;
import dev.sluice.activities.job.RestoredPath;
import dev.sluice.activities.resource.RunningCluster;
import dev.sluice.activities.resource.StoredResource;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.snapshot.FlinkStateSnapshot;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.Observation;
import dev.sluice.workflows.snapshot.SnapshotActivities.DisposeRequest;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whom to ask to delete the files of a savepoint: the cluster of its job, or, where that is gone,
 * another one of the same namespace and the same major version of Flink: that of a resource which
 * was made again under its name, and where the worker is told so, any.
 */
final class DisposalClusters {

  /** Flink makes such a name at random: no other storage has another savepoint of it. */
  private static final Pattern NAMED_BY_FLINK = Pattern.compile("savepoint-[0-9a-f]{6}-[0-9a-f]+");

  /** How many other clusters are looked at. */
  private static final int MOST = 20;

  private final JobOwners owners;
  private final LiveClusters live;
  private final boolean others;

  /**
   * @param others whether clusters of other jobs may be asked
   */
  DisposalClusters(JobOwners owners, LiveClusters live, boolean others) {
    this.owners = owners;
    this.live = live;
    this.others = others;
  }

  /** Who is asked. */
  sealed interface Choice {}

  /**
   * A cluster.
   *
   * @param cluster whose JobManager is there
   * @param other what it is of, where that is not the job of the savepoint; null otherwise
   * @param knowsAlone whether only its JobManager tells what the job of the savepoint left
   */
  record Ask(RunningCluster cluster, @Nullable String other, boolean knowsAlone)
      implements Choice {}

  /**
   * None.
   *
   * @param why in words
   */
  record Nobody(String why) implements Choice {}

  /**
   * Blocks for a call, or where its own cluster is gone for some.
   *
   * @param named what has the name of what ran the job of the snapshot; empty when nothing has
   */
  Choice choose(FlinkStateSnapshot snapshot, Optional<JobOwner> named, DisposeRequest request) {
    Deployment jobManager = named.flatMap(it -> live.deployment(it.cluster().ref())).orElse(null);
    if (named.filter(it -> it.goesOnFrom(request.path(), jobManager)).isPresent()) {
      return new Nobody(mayBeStarted(snapshot) + ": its job left it");
    }
    Optional<JobOwner> owner = named.filter(it -> JobOwners.isMeant(snapshot, it));
    boolean told = owner.filter(it -> !it.tellsWhatIsLeft(jobManager)).isEmpty();
    if (owner.isPresent() && jobManager != null && (!others || !isStopped(jobManager))) {
      return new Ask(owner.get().cluster(), null, !told);
    }
    String why = why(snapshot, named, owner);
    if (others && !told) {
      return new Nobody(
          "%s: %s, so it is not known what its job left"
              .formatted(
                  mayBeStarted(snapshot),
                  jobManager == null
                      ? "its JobManager Deployment is missing"
                      : "its JobManager Deployment is scaled to 0"));
    }
    Set<String> heirs = owner.isPresent() ? Set.of() : heirs(snapshot, named);
    if (!others && heirs.isEmpty()) {
      return new Nobody(why);
    }
    if (!NAMED_BY_FLINK.matcher(RestoredPath.nameOf(request.path())).matches()) {
      return new Nobody(
          why
              + ", and no other cluster is asked: Flink did not generate the name of its directory, so the same path may hold something else in another storage");
    }
    return version(snapshot, owner)
        .map(it -> another(it, why, heirs, owner, request))
        .orElseGet(
            () ->
                new Nobody(
                    "%s, and no other cluster is asked: annotation %s does not say which Flink took it"
                        .formatted(why, Annotations.FLINK_VERSION)));
  }

  private static String mayBeStarted(FlinkStateSnapshot snapshot) {
    return SnapshotActivitiesImpl.named(snapshot) + " may still be started from it";
  }

  /** One of a job that has ended runs no JobManager any more. */
  private static boolean isStopped(Deployment jobManager) {
    Integer replicas = jobManager.getSpec() == null ? null : jobManager.getSpec().getReplicas();
    return replicas != null && replicas == 0;
  }

  private static String why(
      FlinkStateSnapshot snapshot, Optional<JobOwner> named, Optional<JobOwner> owner) {
    if (owner.isPresent()) {
      return "the JobManager of " + SnapshotActivitiesImpl.named(snapshot) + " does not exist";
    }
    if (named.isPresent()) {
      return "the %s that it was taken of is gone, and another one has its name"
          .formatted(SnapshotActivitiesImpl.named(snapshot));
    }
    return snapshot.getSpec().jobReference() == null
        ? "it names no job, so no Flink can be asked to delete it"
        : SnapshotActivitiesImpl.named(snapshot) + " does not exist";
  }

  /**
   * Whose cluster has the best claim to what one left that is gone: the resource that has its name
   * now, and of a FlinkSessionJob the session cluster that took it, or that its next one runs on.
   */
  private static Set<String> heirs(FlinkStateSnapshot snapshot, Optional<JobOwner> named) {
    Map<String, String> annotations = snapshot.getMetadata().getAnnotations();
    String tookIt = annotations == null ? null : annotations.get(Annotations.SESSION_CLUSTER);
    return Stream.concat(
            named.map(it -> it.site().cluster(it)).stream(),
            Stream.ofNullable(tookIt)
                .map(
                    it ->
                        "FlinkDeployment %s/%s"
                            .formatted(snapshot.getMetadata().getNamespace(), it)))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<FlinkVersion> version(
      FlinkStateSnapshot snapshot, Optional<JobOwner> owner) {
    Map<String, String> annotations = snapshot.getMetadata().getAnnotations();
    String told = annotations == null ? null : annotations.get(Annotations.FLINK_VERSION);
    return told == null
        ? owner.flatMap(it -> Optional.ofNullable(it.version()))
        : FlinkVersion.of(told);
  }

  private Choice another(
      FlinkVersion version,
      String why,
      Set<String> heirs,
      Optional<JobOwner> owner,
      DisposeRequest request) {
    String own = owner.map(JobOwner::display).orElse("");
    return owners
        // those that failed come last: storage may have been away for a moment
        .in(
            request.resource(),
            it -> isOf(version, it),
            it -> 2 * request.failedThrough().lastIndexOf(it) - (heirs.contains(it) ? 1 : 0))
        .filter(it -> !it.display().equals(own))
        .filter(it -> others || heirs.contains(it.display()))
        .filter(it -> it.operation().isEmpty())
        .limit(MOST)
        .filter(it -> isReady(it.cluster().ref()))
        .findFirst()
        .<Choice>map(it -> new Ask(it.cluster(), it.display(), false))
        .orElseGet(
            () ->
                new Nobody(
                    others
                        ? "%s, and no other cluster of Flink %d in namespace %s is ready"
                            .formatted(why, version.major(), request.resource().namespace())
                        : "%s, whose cluster is not ready or not of Flink %d"
                            .formatted(why, version.major())));
  }

  private static boolean isOf(FlinkVersion version, StoredResource resource) {
    Observation.Target deployed = resource.observed().frozen();
    return deployed != null
        && deployed.flinkVersion() != null
        && deployed.flinkVersion().major() == version.major();
  }

  private boolean isReady(ClusterRef cluster) {
    return live.deployment(cluster)
        .filter(it -> it.getStatus() != null && it.getStatus().getReadyReplicas() != null)
        .filter(it -> it.getStatus().getReadyReplicas() > 0)
        .isPresent();
  }
}
