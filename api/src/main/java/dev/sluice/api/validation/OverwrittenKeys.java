package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys of the Flink configuration that the cluster does not get as they are written. */
final class OverwrittenKeys implements Rule {
  /** Decided by Sluice, whatever the spec says. */
  private static final List<String> DECIDED =
      List.of(
          "execution.target",
          "$internal.pipeline.job-id",
          "kubernetes.internal.jobmanager.entrypoint.class",
          "internal.cluster.execution-mode",
          "execution.shutdown-on-application-finish",
          "execution.submit-failed-job-on-application-error");

  private static final String ALWAYS_NO_CLAIM =
      "has no effect: Sluice starts jobs with NO_CLAIM, so that the state is kept that an abort"
          + " goes back to. Remove it; delete old savepoints yourself";

  private static final String OF_EACH_JOB =
      "has no effect: a job of a session cluster starts from what its FlinkSessionJob says. Remove"
          + " it";

  private static final String TEMPLATE_FILE = "kubernetes.pod-template-file";

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    decidedByFields(subject.spec())
        .forEach(
            (key, field) -> {
              if (own.has(key)) {
                report.warn(
                    Subject.keyPath(key), "has no effect: " + field + " decides. Remove it");
              }
            });
    DECIDED.stream()
        .filter(own::has)
        .forEach(
            key -> report.warn(Subject.keyPath(key), "has no effect: Sluice sets it. Remove it"));
    warnOfClaims(own, report);
    if (!subject.spec().isApplication()) {
      RestoreKeys.PATHS.stream()
          .filter(own::has)
          .forEach(key -> report.warn(Subject.keyPath(key), OF_EACH_JOB));
    }
    own.asMap().keySet().stream()
        .filter(key -> FlinkClientKeys.ALL.contains(key) || key.startsWith(TEMPLATE_FILE))
        .forEach(
            key ->
                report.warn(
                    Subject.keyPath(key),
                    "has no effect: only Flink's command-line client reads it. Remove it"));
  }

  /** Of those that ask for something else than what is done. */
  static void warnOfClaims(FlinkConfiguration own, Report report) {
    RestoreKeys.CLAIM_MODES.stream()
        .filter(key -> own.get(key).filter(mode -> !isNoClaim(mode)).isPresent())
        .forEach(key -> report.warn(Subject.keyPath(key), ALWAYS_NO_CLAIM));
  }

  private static boolean isNoClaim(String mode) {
    return mode.trim().equalsIgnoreCase(RestoreKeys.NO_CLAIM);
  }

  /** Keys by the field that wins, for the fields that this spec sets. */
  private static Map<String, String> decidedByFields(FlinkDeploymentSpec spec) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("kubernetes.jobmanager.replicas", "spec.jobManager.replicas");
    fields.put("kubernetes.service-account", "spec.serviceAccount");
    putIf(fields, spec.image(), "kubernetes.container.image", "spec.image");
    putIf(fields, spec.image(), "kubernetes.container.image.ref", "spec.image");
    putIf(
        fields,
        spec.imagePullPolicy(),
        "kubernetes.container.image.pull-policy",
        "spec.imagePullPolicy");
    if (MemoryRules.isGiven(spec.jobManager().resource(), spec.jobManager().resources())) {
      fields.put("jobmanager.memory.process.size", "the memory of spec.jobManager");
    }
    if (MemoryRules.isGiven(spec.taskManager().resource(), spec.taskManager().resources())) {
      fields.put("taskmanager.memory.process.size", "the memory of spec.taskManager");
    }
    JobSpec job = spec.job();
    if (job != null) {
      fields.put("execution.savepoint.path", "spec.job.initialSavepointPath");
      fields.put("execution.state-recovery.path", "spec.job.initialSavepointPath");
      putIf(fields, job.jarURI(), "pipeline.jars", "spec.job.jarURI");
      fields.put("parallelism.default", "spec.job.parallelism");
      putIf(
          fields,
          job.allowNonRestoredState(),
          "execution.savepoint.ignore-unclaimed-state",
          "spec.job.allowNonRestoredState");
    }
    return fields;
  }

  private static void putIf(
      Map<String, String> fields, @Nullable Object given, String key, String field) {
    if (given != null) {
      fields.put(key, field);
    }
  }
}
