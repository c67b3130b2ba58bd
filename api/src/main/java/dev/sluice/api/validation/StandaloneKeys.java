package dev.sluice.api.validation;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Set;

/** Keys that only a JobManager reads that makes its TaskManagers itself. */
final class StandaloneKeys implements Rule {
  private static final String NATIVE_ONLY =
      "has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it";
  private static final String START_SCRIPT =
      "has no effect in standalone mode: only Flink's native start script reads it. Remove it";
  private static final String JARS = "pipeline.jars";

  private static final Set<String> SCRIPTS =
      Set.of("kubernetes.jobmanager.entrypoint.args", "kubernetes.taskmanager.entrypoint.args");

  private static final Set<String> KEYS =
      Set.of(
          "kubernetes.node-name-label",
          "resourcemanager.taskmanager-timeout",
          "resourcemanager.previous-worker.recovery.timeout",
          "slotmanager.number-of-slots.max",
          "slotmanager.redundant-taskmanager-num");

  private static final Set<String> PREFIXES =
      Set.of(
          "resourcemanager.start-worker.",
          "slotmanager.max-total-resource.",
          "slotmanager.min-total-resource.");

  @Override
  public void check(Subject subject, Report report) {
    if (subject.spec().mode() != KubernetesDeploymentMode.STANDALONE) {
      return;
    }
    JobSpec job = subject.spec().job();
    for (String key : subject.spec().configuration().asMap().keySet()) {
      if (SCRIPTS.contains(key)) {
        report.warn(Subject.keyPath(key), START_SCRIPT);
      } else if (KEYS.contains(key) || PREFIXES.stream().anyMatch(key::startsWith)) {
        report.warn(Subject.keyPath(key), NATIVE_ONLY);
      } else if (isExternalResource(key)) {
        report.warn(
            Subject.keyPath(key),
            "has no effect in standalone mode. Name the resource in spec.taskManager.resources");
      } else if (key.equals(JARS) && job != null && job.jarURI() == null) {
        report.warn(
            Subject.keyPath(key),
            "has no effect in standalone mode. Use spec.job.jarURI or pipeline.classpaths");
      }
    }
  }

  /** Flink's own name of a resource that its JobManager asks Kubernetes for. */
  private static boolean isExternalResource(String key) {
    return key.startsWith("external-resource.") && key.endsWith(".kubernetes.config-key");
  }
}
