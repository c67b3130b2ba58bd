package dev.sluice.api.validation;

import static java.util.Map.entry;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.InPlaceScaling;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The keys of the Flink configuration that Sluice reads: what the value is, and of keys for the
 * operator, of which resources they are read.
 */
final class KeyTable {
  static final String OPERATOR = "kubernetes.operator.";
  static final String AUTOSCALER = "job.autoscaler.";

  /** Columns: pattern of keys, type of the value, scope. The first row that fits counts. */
  private static final String TABLE =
      """
      kubernetes.operator.deployment.rollback.enabled                        switch     everywhere
      kubernetes.operator.deployment.readiness.timeout                       timeout    everywhere
      kubernetes.operator.jm-deployment-recovery.enabled                     switch     everywhere
      kubernetes.operator.job.restart.failed                                 switch     everywhere
      kubernetes.operator.job.savepoint-on-deletion                          switch     everywhere
      kubernetes.operator.job.drain-on-savepoint-deletion                    switch     everywhere
      kubernetes.operator.job.upgrade.last-state-fallback.enabled            switch     everywhere
      kubernetes.operator.job.upgrade.ignore-pending-savepoint               switch     everywhere
      kubernetes.operator.job.upgrade.last-state.max.allowed.checkpoint.age  timeout    everywhere
      kubernetes.operator.savepoint.format.type                              format     everywhere
      kubernetes.operator.savepoint.cleanup.enabled                          switch     everywhere
      kubernetes.operator.savepoint.history.max.count                        count      everywhere
      kubernetes.operator.savepoint.history.max.age                          timeout    everywhere
      kubernetes.operator.savepoint.dispose-on-delete                        switch     everywhere
      kubernetes.operator.checkpoint.type                                    type       everywhere
      kubernetes.operator.periodic.savepoint.interval                        savepoint  everywhere
      kubernetes.operator.periodic.checkpoint.interval                       checkpoint everywhere
      kubernetes.operator.snapshot.resource.enabled                          switch     everywhere
      kubernetes.operator.jm-deployment.startup.probe.enabled                switch     cluster
      kubernetes.operator.pod-template.merge-arrays-by-name                  switch     cluster
      kubernetes.operator.session.deletion.block-on-session-jobs             switch     session
      kubernetes.operator.session.deletion.block-on-unmanaged-jobs           switch     session
      kubernetes.operator.user.artifacts.http.header                         any        job
      kubernetes.operator.savepoint.history.max.count.threshold              count      defaults
      kubernetes.operator.savepoint.history.max.age.threshold                timeout    defaults
      kubernetes.operator.cluster.health-check.enabled                       switch     application
      kubernetes.operator.cluster.health-check.restarts.window               timeout    application
      kubernetes.operator.cluster.health-check.restarts.threshold            count      application
      kubernetes.operator.cluster.health-check.checkpoint-progress.enabled   switch     application
      kubernetes.operator.cluster.health-check.checkpoint-progress.window    timeout    application
      kubernetes.operator.jm-deployment.shutdown-ttl                         ttl        application
      kubernetes.operator.job.upgrade.inplace-scaling.enabled                any        application
      kubernetes.operator.job.upgrade.last-state.job-cancel.enabled          switch     application
      kubernetes.(rest|internal)-service.(labels|annotations)                map        flink
      kubernetes.hostnetwork.enabled                                         switch     flink
      security.ssl.(rest.)?(authentication-)?enabled                         switch     flink
      execution.checkpointing.interval                                       time       flink
      execution.checkpointing.timeout                                        timeout    flink
      taskmanager.numberOfTaskSlots                                          slots      flink
      pipeline.max-parallelism                                               maximum    flink
      pipeline.jobvertex-parallelism-overrides(.*)?                          vertices   flink
      (kubernetes.)?taskmanager.cpu(.amount|.cores)?                         cores      flink
      (job|task)manager.memory.(process|flink).size                          memory     flink
      jobmanager.memory.heap.size|taskmanager.heap.size                      memory     flink
      (job|task)manager.memory.*.(size|min)                                  part       flink
      (job|task)manager.memory.jvm-overhead.max                              part       flink
      (job|task)manager.memory.(jvm-overhead|network).fraction               fraction   flink
      """;

  /** Reads the value of a key; throws an IllegalArgumentException that says what it must be. */
  @FunctionalInterface
  private interface ValueType {
    Object read(FlinkConfiguration configuration, String key);
  }

  private static final Map<String, ValueType> TYPES =
      Map.ofEntries(
          entry("any", FlinkConfiguration::get),
          entry("switch", FlinkConfiguration::bool),
          entry("time", FlinkConfiguration::duration),
          entry("timeout", time(Duration.ofNanos(1), 365, "more than 0 and at most 365 days")),
          entry("ttl", time(Duration.ZERO, 36_500, "at least 0 and at most 36500 days")),
          entry("map", FlinkConfiguration::map),
          entry("count", of(KeyTable::whole, it -> it > 0, "at least 1")),
          entry("slots", of(KeyTable::whole, KeyTable::isParallelism, "between 1 and 32768")),
          entry(
              "maximum", // -1 is Flink's "not set"
              of(KeyTable::whole, it -> it == -1 || isParallelism(it), "between 1 and 32768")),
          entry("vertices", (own, key) -> InPlaceScaling.overrides(own)),
          entry("fraction", decimal(0.99, "between 0 and 0.99")),
          entry(
              "cores", decimal(1_000_000, "between 0 and 1000000")), // Flink ignores negative ones
          entry("memory", memory(MemoryRules.LEAST_BYTES, "at least 1 MiB and at most 1 PiB")),
          entry("part", memory(0, "at most 1 PiB")),
          entry("format", word("CANONICAL or NATIVE")),
          entry("type", word("FULL, CONFIGURED or INCREMENTAL")),
          entry("savepoint", (own, key) -> SnapshotInterval.checked(own, SnapshotType.SAVEPOINT)),
          entry(
              "checkpoint", (own, key) -> SnapshotInterval.checked(own, SnapshotType.CHECKPOINT)));

  static final List<Key> KEYS = TABLE.lines().map(Key::of).toList();

  private KeyTable() {}

  /** Of which resources a key is read. */
  enum Scope {
    EVERYWHERE,
    /** A FlinkDeployment, for itself; its FlinkSessionJobs do not take it from there. */
    CLUSTER,
    APPLICATION,
    SESSION,
    /** A FlinkSessionJob. */
    JOB,
    /** No resource: it is one of the operator's defaults. */
    DEFAULTS,
    /** It is a key of Flink: of whatever Flink says. */
    FLINK
  }

  /** A row of the table. */
  record Key(String text, Predicate<String> keys, ValueType type, Scope scope) {
    private static Key of(String line) {
      String[] cells = line.split(" +");
      return new Key(
          cells[0],
          Pattern.compile(cells[0]).asMatchPredicate(),
          Objects.requireNonNull(TYPES.get(cells[1]), line),
          Scope.valueOf(cells[2].toUpperCase(Locale.ROOT)));
    }
  }

  private static Optional<Key> row(String key) {
    return KEYS.stream().filter(it -> it.keys().test(key)).findFirst();
  }

  /**
   * What is wrong with the value of that key; empty when nothing is, or Sluice does not read it.
   */
  static Optional<String> problem(FlinkConfiguration configuration, String key) {
    try {
      Optional<Object> unused = row(key).map(it -> it.type().read(configuration, key));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()).replaceFirst("^flinkConf\\S+: ", ""));
    }
  }

  /** Of which resources a key for the operator is read; empty for one that Sluice does not read. */
  static Optional<Scope> operatorKey(String key) {
    return row(key).map(Key::scope).filter(it -> it != Scope.FLINK);
  }

  /** Whether a key is for an operator, known or not. */
  static boolean isForOperator(String key) {
    return key.startsWith(OPERATOR) || key.startsWith(AUTOSCALER);
  }

  private static <T> ValueType of(
      BiFunction<FlinkConfiguration, String, Optional<T>> read, Predicate<T> fits, String must) {
    return (own, key) -> {
      Optional<T> value = read.apply(own, key);
      if (value.filter(Predicate.not(fits)).isPresent()) {
        throw new IllegalArgumentException(
            "must be " + must + ", but is " + Printable.quoted(own.getOrDefault(key, "")));
      }
      return value;
    };
  }

  private static boolean isParallelism(int number) {
    return number >= 1 && number <= ClusterSize.MAX_PARALLELISM;
  }

  /** Flink takes empty text for no number. */
  private static Optional<Integer> whole(FlinkConfiguration own, String key) {
    return own.has(key) ? own.integer(key) : own.get(key).map(blank -> 0);
  }

  private static ValueType decimal(double most, String must) {
    return of((own, key) -> Optional.of(own.number(key, 0)), it -> it >= 0 && it <= most, must);
  }

  private static ValueType time(Duration least, int mostDays, String must) {
    return of(
        FlinkConfiguration::duration,
        it -> it.compareTo(least) >= 0 && it.compareTo(Duration.ofDays(mostDays)) <= 0,
        must);
  }

  private static ValueType memory(long least, String must) {
    return of(
        FlinkConfiguration::memoryBytes, it -> it >= least && it <= MemoryRules.MOST_BYTES, must);
  }

  /** One of these words, in any case. */
  private static ValueType word(String words) {
    List<String> all = List.of(words.split(", | or "));
    return of(
        FlinkConfiguration::get, it -> all.contains(it.trim().toUpperCase(Locale.ROOT)), words);
  }
}
