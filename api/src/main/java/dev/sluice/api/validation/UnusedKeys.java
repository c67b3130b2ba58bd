package dev.sluice.api.validation;

import dev.sluice.api.Annotations;
import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.validation.KeyTable.Key;
import dev.sluice.api.validation.KeyTable.Scope;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keys of the Flink configuration that the cluster does not get as they are written, that mean
 * something for another mode or kind of cluster only, or that nothing reads.
 */
final class UnusedKeys implements SpecValidation.Rule {
  private static final String ALWAYS_NO_CLAIM =
      "has no effect: Sluice starts jobs with NO_CLAIM, so that the state is kept that an abort"
          + " goes back to. Remove it; delete old savepoints yourself";
  private static final String NO_JOB =
      "has no effect: a session cluster has no job of its own, and its FlinkSessionJobs do not take"
          + " this from it. Remove it";
  static final String NOT_READ =
      "has no effect here. Check its spelling, or remove it: docs/flinkdeployment.md lists the keys"
          + " that are read, and settings of Sluice itself are in docs/configuration.md";
  private static final String NO_AUTOSCALER = "has no effect yet: there is no autoscaler";

  /**
   * Columns: of which specs, key, why it has no effect. An asterisk stands for any text. Of a key
   * the first row counts.
   */
  private static final String TABLE =
      """
      always      kubernetes.jobmanager.replicas                   has no effect: spec.jobManager.replicas decides. Remove it
      always      kubernetes.service-account                       has no effect: spec.serviceAccount decides. Remove it
      image       kubernetes.container.image                       has no effect: spec.image decides. Remove it
      image       kubernetes.container.image.ref                   has no effect: spec.image decides. Remove it
      pullPolicy  kubernetes.container.image.pull-policy           has no effect: spec.imagePullPolicy decides. Remove it
      jmMemory    jobmanager.memory.process.size                   has no effect: the memory of spec.jobManager decides. Remove it
      tmMemory    taskmanager.memory.process.size                  has no effect: the memory of spec.taskManager decides. Remove it
      application execution.savepoint.path                         has no effect: spec.job.initialSavepointPath decides. Remove it
      application execution.state-recovery.path                    has no effect: spec.job.initialSavepointPath decides. Remove it
      application parallelism.default                              has no effect: spec.job.parallelism decides. Remove it
      nonRestored execution.savepoint.ignore-unclaimed-state       has no effect: spec.job.allowNonRestoredState decides. Remove it
      jar         pipeline.jars                                    has no effect: spec.job.jarURI decides. Remove it
      session     pipeline.jars                                    has no effect: a session cluster has no job of its own, and its FlinkSessionJobs do not take this from it. Remove it
      session     execution.savepoint.path                         has no effect: a job of a session cluster starts from what its FlinkSessionJob says. Remove it
      session     execution.state-recovery.path                    has no effect: a job of a session cluster starts from what its FlinkSessionJob says. Remove it
      standalone  pipeline.jars                                    has no effect in standalone mode. Use spec.job.jarURI or pipeline.classpaths
      standalone  kubernetes.jobmanager.entrypoint.args            has no effect in standalone mode: only Flink's native start script reads it. Remove it
      standalone  kubernetes.taskmanager.entrypoint.args           has no effect in standalone mode: only Flink's native start script reads it. Remove it
      standalone  kubernetes.node-name-label                       has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  resourcemanager.taskmanager-timeout              has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  resourcemanager.previous-worker.recovery.timeout has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  resourcemanager.start-worker.*                   has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  slotmanager.number-of-slots.max                  has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  slotmanager.redundant-taskmanager-num            has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  slotmanager.max-total-resource.*                 has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  slotmanager.min-total-resource.*                 has no effect in standalone mode: the JobManager makes no TaskManagers. Remove it
      standalone  external-resource.*.kubernetes.config-key        has no effect in standalone mode. Name the resource in spec.taskManager.resources
      """;

  private static final Map<String, Predicate<FlinkDeploymentSpec>> SPECS =
      Map.of(
          "always",
          spec -> true,
          "application",
          FlinkDeploymentSpec::isApplication,
          "session",
          spec -> !spec.isApplication(),
          "standalone",
          spec -> spec.mode() == KubernetesDeploymentMode.STANDALONE,
          "image",
          spec -> spec.image() != null,
          "pullPolicy",
          spec -> spec.imagePullPolicy() != null,
          "jmMemory",
          spec -> MemoryRules.isGiven(spec.jobManager().resource(), spec.jobManager().resources()),
          "tmMemory",
          spec ->
              MemoryRules.isGiven(spec.taskManager().resource(), spec.taskManager().resources()),
          "jar",
          spec -> spec.job() != null && spec.job().jarURI() != null,
          "nonRestored",
          spec -> spec.job() != null && spec.job().allowNonRestoredState() != null);

  private static final List<Row> ROWS = TABLE.lines().map(Row::of).toList();

  @Override
  public void check(Subject subject, Report report) {
    FlinkDeploymentSpec spec = subject.spec();
    FlinkConfiguration own = subject.configuration();
    for (String key : own.asMap().keySet()) {
      if (own.has(key)) {
        ROWS.stream()
            .filter(row -> row.specs().test(spec) && row.keys().test(key))
            .map(Row::why)
            .findFirst()
            .or(() -> ofFlinksClient(key))
            .ifPresent(why -> report.warnKey(key, why));
      }
    }
    warnOfClaims(own, report);
    warnOfOperatorKeys(own, key -> reason(key, spec.isApplication()), report);
    if (!spec.isApplication() && subject.annotations().containsKey(Annotations.STABLE_AFTER)) {
      report.warn("metadata.annotations." + Annotations.STABLE_AFTER, NO_JOB);
    }
  }

  private static Optional<String> ofFlinksClient(String key) {
    if (FlinkClientKeys.OVERWRITTEN.contains(key)) {
      return Optional.of("has no effect: Sluice sets it. Remove it");
    }
    return FlinkClientKeys.ALL.contains(key) || key.startsWith(FlinkClientKeys.TEMPLATE_FILE)
        ? Optional.of("has no effect: only Flink's command-line client reads it. Remove it")
        : Optional.empty();
  }

  private static String reason(Key key, boolean application) {
    return switch (key.scope()) {
      case APPLICATION -> application ? "" : NO_JOB;
      case SESSION ->
          application ? "has no effect: it is a setting of session clusters. Remove it" : "";
      case JOB, DEFAULTS -> NOT_READ;
      default -> "";
    };
  }

  /**
   * Names the keys for an operator that have no effect.
   *
   * @param reason why one that Sluice reads has none here; empty where it has one
   */
  static void warnOfOperatorKeys(
      FlinkConfiguration own, Function<Key, String> reason, Report report) {
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

  /** Names those of the operator's defaults that nothing reads. */
  static Stream<Warning> unread(Stream<String> defaults) {
    return defaults
        .filter(KeyTable::isForOperator)
        .filter(key -> KeyTable.operatorKey(key).filter(it -> it.scope() != Scope.JOB).isEmpty())
        .map(key -> new Warning(key, key.startsWith(KeyTable.OPERATOR) ? NOT_READ : NO_AUTOSCALER));
  }

  /** Names what asks for another owner of the state than the one there is. */
  static void warnOfClaims(FlinkConfiguration own, Report report) {
    RestoreKeys.CLAIM_MODES.stream()
        .filter(
            key ->
                !own.getOrDefault(key, RestoreKeys.NO_CLAIM)
                    .trim()
                    .equalsIgnoreCase(RestoreKeys.NO_CLAIM))
        .forEach(key -> report.warnKey(key, ALWAYS_NO_CLAIM));
  }

  private record Row(Predicate<FlinkDeploymentSpec> specs, Predicate<String> keys, String why) {
    static Row of(String line) {
      String[] cells = line.split(" +", 3);
      String keys = Pattern.quote(cells[1]).replace("*", "\\E.*\\Q");
      return new Row(
          Objects.requireNonNull(SPECS.get(cells[0])),
          Pattern.compile(keys).asMatchPredicate(),
          cells[2]);
    }
  }
}
