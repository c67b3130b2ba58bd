package dev.sluice.activities.cluster;

import dev.sluice.activities.async.ProbeResult;
import dev.sluice.activities.flink.JobsOverview;
import dev.sluice.activities.kubernetes.Deletion;
import dev.sluice.activities.kubernetes.KubernetesFailure;
import dev.sluice.activities.resource.ResourceStore;
import dev.sluice.workflows.activity.ClusterActivities.DeleteClusterRequest;
import dev.sluice.workflows.activity.FailureType;
import dev.sluice.workflows.model.ClusterObservation.Evidence;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.JobsOnCluster;
import dev.sluice.workflows.model.ResourceRef;
import dev.sluice.workflows.model.RestorePoint;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes one cluster: its Deployment with all that it owns, then, once no pod is left that could
 * still write to it, the high-availability metadata. Of metadata that a job goes on from, only the
 * job graphs go: a JobManager that finds one runs it instead of what its configuration says.
 * Nothing is removed for a resource that does not exist any more: whatever has its name then may be
 * somebody else's. One instance for each attempt of the activity.
 */
final class ClusterDeletion {

  /** Flink needs a tenth of a second for it. */
  private static final Duration CLEAN_UP = Duration.ofSeconds(3);

  private final DeleteClusterRequest request;
  private final ClusterAccess access;
  private final Instant patientUntil;
  private final ResourceStore store;
  private final KubernetesClient client;
  private final ClusterReader reader;
  private final Deletion deletion;
  private final PodsGone gone;
  private final @Nullable SessionJobsCheck jobs;
  private boolean begun;

  /** Jobs whose metadata was left when Flink said that none is alive. */
  private Set<String> ended = Set.of();

  /**
   * @param jobs finds the jobs on a session cluster; null when no job on it is asked for
   */
  ClusterDeletion(
      DeleteClusterRequest request,
      ResourceStore store,
      KubernetesClient client,
      ClusterAccess access,
      @Nullable SessionJobsCheck jobs) {
    this.jobs = jobs;
    this.request = request;
    this.access = access;
    this.patientUntil = access.clock().instant().plus(CLEAN_UP);
    this.store = store;
    this.client = client;
    this.reader = new ClusterReader(client);
    this.deletion = new Deletion(client);
    this.gone = new PodsGone(request.cluster(), access);
  }

  /**
   * Deletes the Deployment, if it is ours and of one of the jobs, with its TaskManagers, once no
   * job would be lost with it and the JobManager does not clean up after its job; then the rest,
   * once no pod is left. Blocks.
   */
  ProbeResult<Void> look() {
    if (!begun) {
      store.require(owner());
      Optional<ProbeResult<Void>> held = jobs == null ? cleansUp() : holds(jobs);
      if (held.isPresent()) {
        return held.get();
      }
      deleteDeployments();
      begun = true;
    }
    return gone.look(this::finish);
  }

  /** A JobManager that is stopped while it cleans up hangs, and leaves files of its job. */
  private Optional<ProbeResult<Void>> cleansUp() {
    String job = request.endedJob();
    return job != null
            && isPatient()
            && HighAvailabilityMetadata.isThere(cluster(), job, reader.highAvailability(cluster()))
        ? Optional.of(
            ProbeResult.notYet("Flink is removing the high-availability metadata of job " + job))
        : Optional.empty();
  }

  /** What Flink says now of jobs that would be lost. */
  private Optional<ProbeResult<Void>> holds(SessionJobsCheck check) {
    JobsOverview answer = check.ask();
    Optional<String> lost = lost(check, answer);
    if (lost.isPresent()) {
      return Optional.of(ProbeResult.failed(FailureType.OUTDATED, lost.get()));
    }
    ended =
        answer == null || request.jobs() == JobsOnCluster.COME_BACK
            ? Set.of()
            : jobsIn(reader.highAvailability(cluster()));
    if (!ended.isEmpty() && isPatient()) {
      return Optional.of(ProbeResult.notYet("Flink is removing jobs that have ended"));
    }
    return answer == null || request.everything()
        ? Optional.empty()
        : check.beingSentOrStopped(access.clock().instant()).map(ProbeResult::notYet);
  }

  /** Why jobs would be lost; none is where they come back. */
  private Optional<String> lost(SessionJobsCheck check, @Nullable JobsOverview answer) {
    if (request.jobs() == JobsOnCluster.COME_BACK) {
      return Optional.empty();
    }
    return request.everything()
        ? Optional.of(check.held(answer)).filter(it -> it.reason() != null).map(it -> it.message())
        : check.running(answer);
  }

  private Set<String> jobsIn(List<ConfigMap> metadata) {
    return Set.copyOf(HighAvailabilityMetadata.jobs(cluster(), metadata));
  }

  /** It is waited for what Flink removes by itself: what it leaves would be of a job that runs. */
  private boolean isPatient() {
    return access.clock().instant().isBefore(patientUntil);
  }

  private void deleteDeployments() {
    reader
        .deployment(cluster())
        .filter(this::isToBeDeleted)
        .ifPresent(
            deployment -> {
              checkEvidence();
              if (request.keepMetadataOf() != null) {
                checkMetadata(reader.highAvailability(cluster()));
              }
              deletion.deleteAfterItsOwn(deployment);
            });
    // those of Apache's operator belong to the resource, and not to the JobManager
    reader
        .taskManagers(cluster())
        .filter(found -> Ownership.of(found, owner()) == Ownership.OURS)
        .filter(this::isToBeDeleted)
        .ifPresent(deletion::deleteAfterItsOwn);
  }

  private boolean isToBeDeleted(Deployment deployment) {
    return switch (Ownership.of(deployment, owner())) {
      case OURS -> {
        // one that is being deleted by somebody is waited for, whatever its job
        if (deployment.getMetadata().getDeletionTimestamp() != null) {
          yield false;
        }
        Outdated.check(deployment, request.jobIds(), request.generation());
        yield true;
      }
      // Kubernetes collects it; until then its pods are waited for like our own
      case EARLIER_INSTANCE -> false;
      case SOMEBODY_ELSE -> throw Ownership.taken(deployment, owner());
    };
  }

  /** What was true when it was decided to delete it must be true when it is deleted. */
  private void checkEvidence() {
    Evidence wanted = request.onlyWhile();
    if (wanted == null) {
      return;
    }
    Evidence now =
        ClusterEvidence.of(store.running(owner()), owner(), reader.objects(cluster()), null)
            .evidence();
    if (!now.equals(wanted)) {
      throw Outdated.failure(
          "cluster %s may have progressed: its JobManager was %s and is %s, its high availability was %s and is %s"
              .formatted(
                  cluster().display(),
                  wanted.jobManager(),
                  now.jobManager(),
                  wanted.highAvailability(),
                  now.highAvailability()));
    }
  }

  /**
   * What is deleted was listed while there was no Deployment: a call that comes late, when another
   * attempt has finished and the next cluster is there, must not delete that one's metadata.
   */
  ProbeResult<Void> finish() {
    store.require(owner());
    List<ConfigMap> metadata = reader.highAvailability(cluster());
    if (!reader.deployments(cluster()).isEmpty()) {
      return ProbeResult.failed(
          FailureType.OUTDATED,
          "cluster %s was created again while it was being deleted".formatted(cluster().display()));
    }
    if (request.keepMetadataOf() != null) {
      checkMetadata(metadata);
    }
    // Flink may have taken a job after it was asked for the last time
    Optional<String> late =
        jobs == null || ended.containsAll(jobsIn(metadata)) ? Optional.empty() : lost(jobs, null);
    if (late.isPresent()) {
      return ProbeResult.failed(FailureType.OUTDATED, late.get());
    }
    if (isGoneOnFrom()) {
      metadata.forEach(this::removeJobGraphs);
    } else if (request.jobs() != JobsOnCluster.COME_BACK) {
      metadata.forEach(deletion::delete);
    }
    if (request.everything()) {
      reader.kept(cluster(), owner()).forEach(deletion::delete);
    }
    return ProbeResult.done(null);
  }

  private void checkMetadata(List<ConfigMap> metadata) {
    String kept = request.keepMetadataOf();
    if (kept != null && !HighAvailabilityMetadata.hasCheckpoint(cluster(), kept, metadata)) {
      throw Outdated.failure(
          "the high-availability metadata of cluster %s has no checkpoint of job %s any more"
              .formatted(cluster().display(), kept));
    }
  }

  /** What is recorded is kept as well: a call that comes late must not delete it. */
  private boolean isGoneOnFrom() {
    if (request.everything()) {
      return false;
    }
    RestorePoint recorded = store.read(owner()).observed().recorded();
    return request.keepMetadataOf() != null || (recorded != null && recorded.isSameJob());
  }

  private void removeJobGraphs(ConfigMap map) {
    Set<String> graphs = HighAvailabilityMetadata.jobGraphs(map);
    if (graphs.isEmpty()) {
      return;
    }
    String name = map.getMetadata().getName();
    KubernetesFailure.translate(
        "remove the job graphs from ConfigMap " + name,
        () ->
            client
                .configMaps()
                .inNamespace(cluster().namespace())
                .withName(name)
                .edit(
                    it -> {
                      it.getData().keySet().removeAll(graphs);
                      return it;
                    }));
  }

  private ClusterRef cluster() {
    return request.cluster();
  }

  private ResourceRef owner() {
    return request.resource();
  }
}
