package dev.sluice.controller.application;

import dev.sluice.activities.flink.Endpoint;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.controller.observation.JobPollers;
import dev.sluice.controller.observation.ObservedJob;
import dev.sluice.controller.observation.ObservedJob.Unreachable;
import dev.sluice.controller.observation.PollTarget;
import dev.sluice.workflows.application.VersionRef;
import dev.sluice.workflows.model.ClusterRef;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Observes the versions of applications: their Deployments and pods by the informers, their jobs by
 * a {@link JobPollers poller} for each cluster, at the Service of that version.
 */
final class VersionObserver {

  private final JobPollers pollers;
  private final VersionQuestions questions;
  private final ConcurrentMap<String, ConcurrentMap<String, Duration>> asked =
      new ConcurrentHashMap<>();

  VersionObserver(JobPollers pollers, VersionQuestions questions) {
    this.pollers = pollers;
    this.questions = questions;
  }

  /**
   * One look at an application.
   *
   * @param application whose versions
   * @param deployments of all its clusters
   * @param pods of all its clusters
   * @param hint changes where a job may have changed
   * @param changed called, on any thread, when Flink has something new to say
   */
  record Look(
      ResourceRef application,
      Collection<Deployment> deployments,
      Collection<Pod> pods,
      String hint,
      Runnable changed) {}

  /** What is known of that version now; asks for more. */
  ObservedVersion observe(Look look, VersionRef version, @Nullable FlinkApplicationSpec spec) {
    String key = key(look.application(), version);
    VersionCluster cluster =
        VersionCluster.of(look.application().uid(), version, look.deployments(), look.pods());
    if (!cluster.answerable()) {
      forget(look.application(), key);
      return new ObservedVersion(
          version, spec, cluster, new Unreachable(why(version, cluster)), VersionDetails.NONE);
    }
    String subject = version.cluster() + " " + version.jobId();
    int port = Objects.requireNonNullElse(spec, FlinkApplicationSpec.EMPTY).uiPort();
    Endpoint endpoint =
        new Endpoint(
            new ClusterRef(look.application().namespace(), version.cluster()),
            port,
            version.cluster());
    pollers.poll(
        key,
        new PollTarget(endpoint, version.jobId(), subject, look.hint() + " " + cluster.changes()),
        look.changed());
    ObservedJob flink = pollers.observed(key, subject);
    Duration again = questions.ask(key, subject, endpoint, version.jobId(), look.changed());
    asked
        .computeIfAbsent(look.application().uid(), uid -> new ConcurrentHashMap<>())
        .put(key, again);
    return new ObservedVersion(version, spec, cluster, flink, questions.details(key, subject));
  }

  private static String why(VersionRef version, VersionCluster cluster) {
    return cluster.complete()
        ? "No JobManager pod of %s is ready".formatted(version.display())
        : "The cluster of %s is not there".formatted(version.display());
  }

  /** When to look again, if nothing happens before; empty where no cluster answers. */
  Optional<Duration> review(ResourceRef application) {
    return asked.getOrDefault(application.uid(), new ConcurrentHashMap<>()).values().stream()
        .min(Comparator.naturalOrder());
  }

  /** In place two versions are on one cluster, and each has a job of its own. */
  private static String key(ResourceRef application, VersionRef version) {
    return application.uid() + "/" + version.cluster() + "/" + version.hash();
  }

  /** The application has these versions, and no others any more. */
  void keep(ResourceRef application, Collection<VersionRef> versions) {
    ConcurrentMap<String, Duration> keys = asked.get(application.uid());
    if (keys != null) {
      keys.keySet().stream()
          .filter(
              key -> versions.stream().noneMatch(version -> key.equals(key(application, version))))
          .forEach(key -> forget(application, key));
    }
  }

  private void forget(ResourceRef application, String key) {
    pollers.forget(key);
    questions.forget(key);
    ConcurrentMap<String, Duration> keys = asked.get(application.uid());
    if (keys != null) {
      keys.remove(key);
    }
  }

  /** The application is gone. */
  void forget(ResourceRef application) {
    ConcurrentMap<String, Duration> keys = asked.remove(application.uid());
    if (keys != null) {
      keys.keySet()
          .forEach(
              key -> {
                pollers.forget(key);
                questions.forget(key);
              });
    }
  }
}
