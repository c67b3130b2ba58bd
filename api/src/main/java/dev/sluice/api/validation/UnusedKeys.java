package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.InPlaceScaling;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keys of the Flink configuration that the cluster does not get as they are written, or that mean
 * something for another mode or kind of cluster only.
 */
final class UnusedKeys implements SpecValidation.Rule {
  private static final String JARS = "pipeline.jars";
  private static final String SET_BY_SLUICE = "has no effect: Sluice sets it. Remove it";
  private static final String OF_CLIENT =
      "has no effect: only Flink's command-line client reads it. Remove it";
  private static final String ALWAYS_NO_CLAIM =
      "has no effect: Sluice starts jobs with NO_CLAIM, so that the state is kept that an abort"
          + " goes back to. Remove it; delete old savepoints yourself";
  private static final String OF_EACH_JOB =
      "has no effect: a job of a session cluster starts from what its FlinkSessionJob says. Remove"
          + " it";
  private static final String NO_JOB =
      "has no effect: a session cluster has no job of its own, and its FlinkSessionJobs do not take"
          + " this from it. Remove it";
  private static final String NO_SESSION =
      "has no effect: it is a setting of session clusters. Remove it";
  private static final String NATIVE_ONLY =
      "has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it";
  private static final String START_SCRIPT =
      "has no effect in standalone mode: only Flink's native start script reads it. Remove it";

  /** Keys that a field decides which is always there. */
  private static final Map<String, String> BY_FIELD =
      Map.of(
          "kubernetes.jobmanager.replicas", "spec.jobManager.replicas",
          "kubernetes.service-account", "spec.serviceAccount");

  /** Only what FlinkSessionJobs do not take from their cluster either. */
  private static final Set<String> OF_JOB =
      Set.of(
          ConfigKeys.SHUTDOWN_TTL,
          ConfigKeys.HEALTH_CHECK,
          ConfigKeys.RESTARTS_WINDOW,
          ConfigKeys.RESTARTS_THRESHOLD,
          ConfigKeys.CHECKPOINT_PROGRESS,
          ConfigKeys.CHECKPOINT_WINDOW,
          ConfigKeys.LAST_STATE_CANCEL,
          InPlaceScaling.ENABLED,
          JARS);

  private static final Set<String> OF_SESSION =
      Set.of(ConfigKeys.BLOCK_ON_UNMANAGED, ConfigKeys.BLOCK_ON_SESSION_JOBS);

  private static final Set<String> SCRIPTS =
      Set.of("kubernetes.jobmanager.entrypoint.args", "kubernetes.taskmanager.entrypoint.args");

  /** What only a JobManager reads that makes its TaskManagers itself. */
  private static final Set<String> NATIVE =
      Set.of(
          "kubernetes.node-name-label",
          "resourcemanager.taskmanager-timeout",
          "resourcemanager.previous-worker.recovery.timeout",
          "slotmanager.number-of-slots.max",
          "slotmanager.redundant-taskmanager-num");

  private static final List<String> NATIVE_PREFIXES =
      List.of(
          "resourcemanager.start-worker.",
          "slotmanager.max-total-resource.",
          "slotmanager.min-total-resource.");

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    Keys keys = new Keys(subject.configuration(), report);
    checkFields(spec, keys);
    keys.warn(
        FlinkClientKeys.OVERWRITTEN.stream().filter(key -> !BY_FIELD.containsKey(key)).toList(),
        SET_BY_SLUICE);
    keys.warn(FlinkClientKeys.ALL, OF_CLIENT);
    keys.warnPrefixes(List.of(FlinkClientKeys.TEMPLATE_FILE), "", OF_CLIENT);
    warnOfClaims(subject.configuration(), report);
    if (spec.isApplication()) {
      keys.warn(OF_SESSION, NO_SESSION);
    } else {
      keys.warn(RestoreKeys.PATHS, OF_EACH_JOB);
      keys.warn(OF_JOB, NO_JOB);
      if (subject.annotations().containsKey(Annotations.STABLE_AFTER)) {
        report.warn("metadata.annotations." + Annotations.STABLE_AFTER, NO_JOB);
      }
    }
    if (spec.mode() == KubernetesDeploymentMode.STANDALONE) {
      checkStandalone(spec, keys);
    }
  }

  /** The field wins, for the fields that this spec sets. */
  private static void checkFields(FlinkDeploymentSpec spec, Keys keys) {
    BY_FIELD.forEach((key, field) -> keys.decided(true, field, key));
    keys.decided(
        spec.image() != null,
        "spec.image",
        "kubernetes.container.image",
        "kubernetes.container.image.ref");
    keys.decided(
        spec.imagePullPolicy() != null,
        "spec.imagePullPolicy",
        "kubernetes.container.image.pull-policy");
    keys.decided(
        MemoryRules.isGiven(spec.jobManager().resource(), spec.jobManager().resources()),
        "the memory of spec.jobManager",
        "jobmanager.memory.process.size");
    keys.decided(
        MemoryRules.isGiven(spec.taskManager().resource(), spec.taskManager().resources()),
        "the memory of spec.taskManager",
        "taskmanager.memory.process.size");
    JobSpec job = spec.job();
    if (job == null) {
      return;
    }
    keys.decided(
        true,
        "spec.job.initialSavepointPath",
        "execution.savepoint.path",
        "execution.state-recovery.path");
    keys.decided(job.jarURI() != null, "spec.job.jarURI", JARS);
    keys.decided(true, "spec.job.parallelism", "parallelism.default");
    keys.decided(
        job.allowNonRestoredState() != null,
        "spec.job.allowNonRestoredState",
        "execution.savepoint.ignore-unclaimed-state");
  }

  private static void checkStandalone(FlinkDeploymentSpec spec, Keys keys) {
    keys.warn(SCRIPTS, START_SCRIPT);
    keys.warn(NATIVE, NATIVE_ONLY);
    keys.warnPrefixes(NATIVE_PREFIXES, "", NATIVE_ONLY);
    // Flink's own name of a resource that its JobManager asks Kubernetes for
    keys.warnPrefixes(
        List.of("external-resource."),
        ".kubernetes.config-key",
        "has no effect in standalone mode. Name the resource in spec.taskManager.resources");
    if (spec.job() != null && spec.job().jarURI() == null) {
      keys.warn(
          Set.of(JARS),
          "has no effect in standalone mode. Use spec.job.jarURI or pipeline.classpaths");
    }
  }

  /** Of those that ask for something else than what is done. */
  static void warnOfClaims(FlinkConfiguration own, Report report) {
    RestoreKeys.CLAIM_MODES.stream()
        .filter(
            key ->
                own.get(key)
                    .filter(mode -> !mode.trim().equalsIgnoreCase(RestoreKeys.NO_CLAIM))
                    .isPresent())
        .forEach(key -> report.warnKey(key, ALWAYS_NO_CLAIM));
  }

  /** Those that are given, with where to report them. */
  private record Keys(FlinkConfiguration own, Report report) {

    void warn(Collection<String> keys, String why) {
      keys.stream().filter(own::has).forEach(key -> report.warnKey(key, why));
    }

    void warnPrefixes(List<String> prefixes, String suffix, String why) {
      own.asMap().keySet().stream()
          .filter(key -> prefixes.stream().anyMatch(key::startsWith) && key.endsWith(suffix))
          .forEach(key -> report.warnKey(key, why));
    }

    void decided(boolean given, String field, String... keys) {
      if (given) {
        warn(List.of(keys), "has no effect: " + field + " decides. Remove it");
      }
    }
  }
}
