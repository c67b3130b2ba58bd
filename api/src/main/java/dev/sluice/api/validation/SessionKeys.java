package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.List;

/** What means something for a job of the resource only, or for a session cluster only. */
final class SessionKeys implements Rule {
  private static final String NO_JOB =
      "has no effect: a session cluster has no job of its own, and its FlinkSessionJobs do not take"
          + " this from it. Remove it";
  private static final String NO_SESSION =
      "has no effect: it is a setting of session clusters. Remove it";

  /** Only what FlinkSessionJobs do not take from their cluster either. */
  private static final List<String> OF_JOB =
      List.of(
          ConfigKeys.SHUTDOWN_TTL,
          ConfigKeys.HEALTH_CHECK,
          ConfigKeys.RESTARTS_WINDOW,
          ConfigKeys.RESTARTS_THRESHOLD,
          ConfigKeys.CHECKPOINT_PROGRESS,
          ConfigKeys.CHECKPOINT_WINDOW,
          ConfigKeys.LAST_STATE_CANCEL,
          InPlaceScaling.ENABLED,
          "pipeline.jars");

  private static final List<String> ANNOTATIONS = List.of(Annotations.STABLE_AFTER);

  @Override
  public void check(Subject subject, Report report) {
    if (subject.spec().isApplication()) {
      warn(
          subject,
          List.of(ConfigKeys.BLOCK_ON_UNMANAGED, ConfigKeys.BLOCK_ON_SESSION_JOBS),
          NO_SESSION,
          report);
      return;
    }
    warn(subject, OF_JOB, NO_JOB, report);
    ANNOTATIONS.stream()
        .filter(subject.annotations()::containsKey)
        .forEach(name -> report.warn("metadata.annotations." + name, NO_JOB));
    if (subject.spec().taskManager().replicas() != null
        && subject.spec().mode() != KubernetesDeploymentMode.STANDALONE) {
      report.warn(
          "spec.taskManager.replicas",
          "has no effect: the JobManager of a native session cluster starts TaskManagers as its jobs"
              + " need them. Remove it");
    }
  }

  private static void warn(Subject subject, List<String> keys, String why, Report report) {
    keys.stream()
        .filter(subject.configuration()::has)
        .forEach(key -> report.warn(Subject.keyPath(key), why));
  }
}
