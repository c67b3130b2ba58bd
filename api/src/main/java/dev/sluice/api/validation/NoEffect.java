package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.deployment.ReactiveMode;
import dev.sluice.api.deployment.TaskManagerScaling;
import dev.sluice.api.validation.KeyTable.Scope;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fields and keys of a FlinkDeployment that nothing reads, or in whose place another decides. */
final class NoEffect {
  static final String NOT_READ =
      "has no effect here. Check its spelling, or remove it: docs/flinkdeployment.md lists the keys"
          + " that are read, and settings of Sluice itself are in docs/configuration.md";
  private static final String ALWAYS_NO_CLAIM =
      "has no effect: Sluice starts jobs with NO_CLAIM, so that the state is kept that an abort"
          + " goes back to. Remove it; delete old savepoints yourself";
  private static final String NO_EFFECT = "has no effect: %s. Remove it";
  private static final String NO_JOB =
      NO_EFFECT.formatted(
          "a session cluster has no job of its own, and its FlinkSessionJobs do not take this from"
              + " it");
  private static final String NO_AUTOSCALER = "has no effect yet: there is no autoscaler";
  private static final String NO_CHECKPOINTS =
      "has no effect: Flink takes checkpoints by request since 1.17";

  /** Of which specs a key has no effect, and why; of a key the first row counts. */
  private record Row(Predicate<FlinkDeploymentSpec> specs, String why, Predicate<String> keys) {
    private static Row of(Predicate<FlinkDeploymentSpec> specs, String why, String keys) {
      return new Row(specs, why, Pattern.compile(keys).asMatchPredicate());
    }
  }

  private static final List<Row> ROWS =
      List.of(
          Row.of(
              spec -> true, "spec.jobManager.replicas decides", "kubernetes.jobmanager.replicas"),
          Row.of(spec -> true, "spec.serviceAccount decides", "kubernetes.service-account"),
          Row.of(
              spec -> spec.image() != null,
              "spec.image decides",
              "kubernetes.container.image(.ref)?"),
          Row.of(
              spec -> spec.imagePullPolicy() != null,
              "spec.imagePullPolicy decides",
              "kubernetes.container.image.pull-policy"),
          Row.of(
              spec ->
                  MemoryRules.isGiven(spec.jobManager().resource(), spec.jobManager().resources()),
              "the memory of spec.jobManager decides",
              "jobmanager.memory.process.size"),
          Row.of(
              spec ->
                  MemoryRules.isGiven(
                      spec.taskManager().resource(), spec.taskManager().resources()),
              "the memory of spec.taskManager decides",
              "taskmanager.memory.process.size"),
          new Row(
              FlinkDeploymentSpec::isApplication,
              "spec.job.initialSavepointPath decides",
              RestoreKeys.PATHS::contains),
          Row.of(
              FlinkDeploymentSpec::isApplication,
              "spec.job.parallelism decides",
              "parallelism.default"),
          Row.of(
              spec -> spec.job() != null && spec.job().allowNonRestoredState() != null,
              "spec.job.allowNonRestoredState decides",
              "execution.(savepoint|state-recovery).ignore-unclaimed-state"),
          Row.of(
              spec -> spec.job() != null && spec.job().jarURI() != null,
              "spec.job.jarURI decides",
              "pipeline.jars"),
          Row.of(
              spec -> !spec.isApplication(),
              "a session cluster has no job of its own",
              "pipeline.jars|execution.(savepoint|state-recovery).path"),
          Row.of(
              spec -> spec.mode() == KubernetesDeploymentMode.STANDALONE,
              "Flink reads it in native mode only",
              "pipeline.jars|kubernetes.(job|task)manager.entrypoint.args"
                  + "|kubernetes.node-name-label|resourcemanager.taskmanager-timeout"
                  + "|resourcemanager.(previous-worker.recovery.timeout|start-worker..*)"
                  + "|slotmanager.(number-of-slots.max|redundant-taskmanager-num)"
                  + "|slotmanager.(max|min)-total-resource..*"
                  + "|external-resource..*.kubernetes.config-key"),
          new Row(spec -> true, "Sluice sets it", FlinkClientKeys.OVERWRITTEN::contains),
          new Row(
              spec -> true,
              "only Flink's command-line client reads it",
              key ->
                  FlinkClientKeys.ALL.contains(key)
                      || key.startsWith(FlinkClientKeys.TEMPLATE_FILE)));

  private NoEffect() {}

  static void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    FlinkConfiguration own = subject.configuration();
    for (String key : own.asMap().keySet()) {
      ROWS.stream()
          .filter(row -> own.has(key) && row.specs().test(spec) && row.keys().test(key))
          .findFirst()
          .ifPresent(row -> report.warnKey(key, NO_EFFECT.formatted(row.why())));
    }
    checkClaims(own, report);
    checkOperatorKeys(own, scope -> reason(scope, spec.isApplication()), report);
    if (!spec.isApplication() && subject.annotations().containsKey(Annotations.STABLE_AFTER)) {
      report.warn("metadata.annotations." + Annotations.STABLE_AFTER, NO_JOB);
    }
    if (spec.job() != null) {
      checkJob(spec, spec.job(), report);
    } else if (spec.taskManager().replicas() != null
        && spec.mode() != KubernetesDeploymentMode.STANDALONE) {
      report.warn(
          "spec.taskManager.replicas",
          NO_EFFECT.formatted(
              "the JobManager of a native session cluster starts TaskManagers as its jobs need"
                  + " them"));
    }
    var jobManager = spec.jobManager();
    var taskManager = spec.taskManager();
    checkResource("spec.jobManager", jobManager.resource(), jobManager.resources(), report);
    checkResource("spec.taskManager", taskManager.resource(), taskManager.resources(), report);
    checkTemplate("spec.podTemplate", spec.podTemplate(), spec, report);
    checkTemplate("spec.jobManager.podTemplate", jobManager.podTemplate(), spec, report);
    checkTemplate("spec.taskManager.podTemplate", taskManager.podTemplate(), spec, report);
  }

  private static String reason(Scope scope, boolean application) {
    return switch (scope) {
      case APPLICATION -> application ? "" : NO_JOB;
      case SESSION -> application ? NO_EFFECT.formatted("it is a setting of session clusters") : "";
      case JOB, DEFAULTS -> NOT_READ;
      default -> "";
    };
  }

  /**
   * Names the keys for an operator that have no effect.
   *
   * @param reason why one of that scope has none here; empty where it has one
   */
  static void checkOperatorKeys(
      FlinkConfiguration own, Function<Scope, String> reason, Report report) {
    for (String key : own.asMap().keySet()) {
      if (key.startsWith(KeyTable.OPERATOR)) {
        String why = KeyTable.operatorKey(key).map(reason).orElse(NOT_READ);
        if (!why.isEmpty()) {
          report.warnKey(key, why);
        }
      } else if (key.startsWith(KeyTable.AUTOSCALER)) {
        report.warnKey(KeyTable.AUTOSCALER + "*", NO_AUTOSCALER);
      }
    }
  }

  /** Names a default of the operator that no part of Sluice reads, or that it cannot read. */
  static void checkDefault(String origin, String key, String value, Report report) {
    Scope scope = KeyTable.operatorKey(key).orElse(Scope.JOB);
    if (KeyTable.isForOperator(key) && scope == Scope.JOB) {
      report.warn(origin, key.startsWith(KeyTable.OPERATOR) ? NOT_READ : NO_AUTOSCALER);
    } else if (scope == Scope.DEFAULTS) {
      KeyTable.problem(FlinkConfiguration.of(Map.of(key, value)), key)
          .ifPresent(it -> report.warn(origin, "is ignored: " + it));
    }
  }

  /** Names what asks for another owner of the state than the one there is. */
  static void checkClaims(FlinkConfiguration own, Report report) {
    for (String key : RestoreKeys.CLAIM_MODES) {
      String mode = own.getOrDefault(key, RestoreKeys.NO_CLAIM).trim();
      if (!mode.equalsIgnoreCase(RestoreKeys.NO_CLAIM)) {
        report.warnKey(key, ALWAYS_NO_CLAIM);
      }
    }
  }

  private static void checkJob(FlinkDeploymentSpec spec, JobSpec job, Report report) {
    FlinkVersion version = spec.flinkVersion();
    String periodic = SnapshotInterval.key(SnapshotType.CHECKPOINT);
    if (version != null && !version.takesCheckpoints()) {
      if (job.checkpointTriggerNonce() != null) {
        report.warn("spec.job.checkpointTriggerNonce", NO_CHECKPOINTS);
      }
      if (spec.configuration().has(periodic)) {
        report.warnKey(periodic, NO_CHECKPOINTS);
      }
    }
    if (job.autoscalerResetNonce() != null) {
      report.warn("spec.job.autoscalerResetNonce", NO_AUTOSCALER);
    }
    ClusterSize size = ClusterSize.of(spec);
    boolean replicasGiven = spec.taskManager().replicas() != null;
    if (!replicasGiven && job.parallelism() > 0 && TaskManagerScaling.scales(spec)) {
      report.warn(
          "spec.job.parallelism",
          "has no effect on the job with %s reactive, which takes all slots. It only says that there are %d TaskManagers; use spec.taskManager.replicas"
              .formatted(ReactiveMode.KEY, size.taskManagers()));
    }
    if (replicasGiven && job.parallelism() > 0 && job.parallelism() != size.parallelism()) {
      report.warn(
          "spec.job.parallelism",
          "has no effect beside spec.taskManager.replicas: the parallelism is replicas times"
              + " slots, %d. Remove one of the two".formatted(size.parallelism()));
    }
  }

  private static void checkResource(
      String path,
      @Nullable Resource resource,
      @Nullable ResourceRequirements resources,
      Report report) {
    if (resource == null || resources == null) {
      return;
    }
    String why = "has no effect beside " + path + ".resources. Remove it";
    if (resource.cpu() != null && MemoryRules.has(resources, "cpu")) {
      report.warn(path + ".resource.cpu", why);
    }
    if (resource.memory() != null && MemoryRules.has(resources, "memory")) {
      report.warn(path + ".resource.memory", why);
    }
  }

  private static void checkTemplate(
      String path, @Nullable JsonNode template, FlinkDeploymentSpec spec, Report report) {
    if (template == null) {
      return;
    }
    Map<String, String> deciders = new TreeMap<>();
    deciders.put("/spec/serviceAccountName", "spec.serviceAccount decides");
    deciders.put("/spec/hostNetwork", "kubernetes.hostnetwork.enabled decides");
    JsonNode containers = template.at("/spec/containers");
    for (int i = 0; i < containers.size(); i++) {
      if (containers.path(i).path("name").asText().equals("flink-main-container")) {
        String at = "/spec/containers/" + i + "/";
        deciders.put(at + "command", "Flink's start script is used");
        deciders.put(at + "args", "Flink's start script is used");
        deciders.put(at + "image", spec.image() == null ? "" : "spec.image decides");
        deciders.put(
            at + "imagePullPolicy",
            spec.imagePullPolicy() == null ? "" : "spec.imagePullPolicy decides");
        for (String amount :
            List.of("requests/cpu", "requests/memory", "limits/cpu", "limits/memory")) {
          deciders.put(
              at + "resources/" + amount,
              "the resources of spec.jobManager and spec.taskManager decide");
        }
      }
    }
    deciders.forEach(
        (pointer, why) -> {
          JsonNode value = template.at(pointer);
          if (!why.isEmpty() && !value.isMissingNode() && !value.isNull()) {
            String field = pointer.replaceAll("/(\\d+)", "[$1]").replace('/', '.');
            report.warn(path + field, NO_EFFECT.formatted(why));
          }
        });
  }
}
