package dev.sluice.controller.application;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.controller.observation.JobPolls;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks once at the versions of an application: at their Deployments and pods by the informers, and
 * at their jobs by what Flink said last, at the Service of each version.
 */
final class VersionObserver {

  private final FlinkApplication application;
  private final Collection<Deployment> deployments;
  private final Collection<Pod> pods;
  private final JobPolls<PollTarget, VersionPoll.Answer> polls;
  private final List<PollTarget> targets = new ArrayList<>();

  /**
   * @param deployments of all its clusters
   * @param pods of all its clusters
   */
  VersionObserver(
      FlinkApplication application,
      Collection<Deployment> deployments,
      Collection<Pod> pods,
      JobPolls<PollTarget, VersionPoll.Answer> polls) {
    this.application = application;
    this.deployments = deployments;
    this.pods = pods;
    this.polls = polls;
  }

  /** What is known of that version now. */
  ObservedVersion observe(VersionRef version, @Nullable FlinkApplicationSpec spec) {
    VersionCluster cluster =
        VersionCluster.of(application.getMetadata().getUid(), version, deployments, pods);
    if (!cluster.answerable()) {
      return new ObservedVersion(
          version, spec, cluster, new Unreachable(why(version, cluster)), VersionDetails.NONE);
    }
    // in place two versions are on one cluster, and each has a job of its own
    String subject = version.cluster() + "/" + version.hash() + " " + version.jobId();
    int port = Objects.requireNonNullElse(spec, FlinkApplicationSpec.EMPTY).uiPort();
    Endpoint endpoint =
        new Endpoint(
            new ClusterRef(application.getMetadata().getNamespace(), version.cluster()),
            port,
            version.cluster(),
            false);
    targets.add(new PollTarget(endpoint, version.jobId(), subject, null, false));
    VersionPoll.Answer last =
        polls
            .answer(application, it -> it.subject().equals(subject))
            .orElse(VersionPoll.Answer.NOTHING);
    return new ObservedVersion(version, spec, cluster, last.job(), last.details());
  }

  private static String why(VersionRef version, VersionCluster cluster) {
    return cluster.complete()
        ? "No JobManager pod of %s is ready".formatted(version.display())
        : "The cluster of %s is not there".formatted(version.display());
  }

  /** From now on Flink is asked about the versions that were looked at, and about no others. */
  void poll() {
    polls.poll(application, targets);
  }
}
