package dev.sluice.api.validation;

import static dev.sluice.api.validation.ValueType.decimal;
import static dev.sluice.api.validation.ValueType.memory;
import static dev.sluice.api.validation.ValueType.oneOf;
import static dev.sluice.api.validation.ValueType.time;
import static dev.sluice.api.validation.ValueType.whole;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import dev.sluice.api.common.SnapshotInterval;
import dev.sluice.api.common.SnapshotType;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.api.deployment.InPlaceScaling;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The keys of the Flink configuration that Sluice reads: what the value is, and of keys for the
 * operator, of which resources they are read.
 */
final class KeyTable {
  static final String OPERATOR = "kubernetes.operator.";
  static final String AUTOSCALER = "job.autoscaler.";

  /** Columns: key, type of the value, scope; of application why a FlinkSessionJob has it not. */
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
      kubernetes.operator.savepoint.history.max.count.threshold              any        defaults
      kubernetes.operator.savepoint.history.max.age.threshold                any        defaults
      kubernetes.operator.cluster.health-check.enabled                       switch     application has no effect yet: a FlinkSessionJob is not checked for health
      kubernetes.operator.cluster.health-check.restarts.window               timeout    application has no effect yet: a FlinkSessionJob is not checked for health
      kubernetes.operator.cluster.health-check.restarts.threshold            count      application has no effect yet: a FlinkSessionJob is not checked for health
      kubernetes.operator.cluster.health-check.checkpoint-progress.enabled   switch     application has no effect yet: a FlinkSessionJob is not checked for health
      kubernetes.operator.cluster.health-check.checkpoint-progress.window    timeout    application has no effect yet: a FlinkSessionJob is not checked for health
      kubernetes.operator.jm-deployment.shutdown-ttl                         ttl        application has no effect: the JobManager is that of the session cluster, and stays when a job ends
      kubernetes.operator.job.upgrade.inplace-scaling.enabled                any        application has no effect: a FlinkSessionJob is not rescaled in place. Another parallelism is an upgrade
      kubernetes.operator.job.upgrade.last-state.job-cancel.enabled          switch     application has no effect: with last-state the job is always cancelled, because its cluster stays
      kubernetes.rest-service.labels                                         map        flink
      kubernetes.rest-service.annotations                                    map        flink
      kubernetes.internal-service.labels                                     map        flink
      kubernetes.internal-service.annotations                                map        flink
      kubernetes.hostnetwork.enabled                                         switch     flink
      security.ssl.enabled                                                   switch     flink
      security.ssl.rest.enabled                                              switch     flink
      security.ssl.rest.authentication-enabled                               switch     flink
      execution.checkpointing.interval                                       time       flink
      execution.checkpointing.timeout                                        timeout    flink
      taskmanager.numberOfTaskSlots                                          slots      flink
      pipeline.max-parallelism                                               maximum    flink
      pipeline.jobvertex-parallelism-overrides                               vertices   flink
      kubernetes.taskmanager.cpu                                             cores      flink
      kubernetes.taskmanager.cpu.amount                                      cores      flink
      taskmanager.cpu.cores                                                  cores      flink
      jobmanager.memory.process.size                                         memory     flink
      jobmanager.memory.flink.size                                           memory     flink
      jobmanager.memory.heap.size                                            memory     flink
      jobmanager.memory.off-heap.size                                        part       flink
      jobmanager.memory.jvm-metaspace.size                                   part       flink
      jobmanager.memory.jvm-overhead.min                                     part       flink
      jobmanager.memory.jvm-overhead.max                                     part       flink
      jobmanager.memory.jvm-overhead.fraction                                fraction   flink
      taskmanager.memory.process.size                                        memory     flink
      taskmanager.memory.flink.size                                          memory     flink
      taskmanager.heap.size                                                  memory     flink
      taskmanager.memory.task.heap.size                                      part       flink
      taskmanager.memory.managed.size                                        part       flink
      taskmanager.memory.framework.heap.size                                 part       flink
      taskmanager.memory.framework.off-heap.size                             part       flink
      taskmanager.memory.task.off-heap.size                                  part       flink
      taskmanager.memory.network.min                                         part       flink
      taskmanager.memory.network.fraction                                    fraction   flink
      taskmanager.memory.jvm-metaspace.size                                  part       flink
      taskmanager.memory.jvm-overhead.min                                    part       flink
      taskmanager.memory.jvm-overhead.max                                    part       flink
      taskmanager.memory.jvm-overhead.fraction                               fraction   flink
      """;

  private static final Map<String, ValueType> TYPES =
      Map.ofEntries(
          Map.entry("any", FlinkConfiguration::get),
          Map.entry("switch", FlinkConfiguration::bool),
          Map.entry("time", FlinkConfiguration::duration),
          Map.entry("timeout", time(Duration.ofNanos(1), Duration.ofDays(365), "more than 0")),
          Map.entry("ttl", time(Duration.ZERO, Duration.ofDays(36_500), "at least 0")),
          Map.entry("map", (own, key) -> new KubernetesOptions(own).map(key)),
          Map.entry("count", whole(Integer.MAX_VALUE)),
          Map.entry("slots", whole(ClusterSize.MAX_PARALLELISM)),
          Map.entry("maximum", KeyTable::maximum),
          Map.entry("vertices", (own, key) -> InPlaceScaling.overrides(own)),
          Map.entry("fraction", decimal(0.99, "0.99")),
          Map.entry("cores", decimal(1_000_000, "1000000")), // Flink ignores negative ones
          Map.entry("memory", memory(MemoryRules.LEAST_BYTES, "at least 1 MiB and at most 1 PiB")),
          Map.entry("part", memory(0, "at most 1 PiB")),
          Map.entry("format", oneOf("CANONICAL", "NATIVE")),
          Map.entry("type", oneOf("FULL", "CONFIGURED", "INCREMENTAL")),
          Map.entry("savepoint", (own, key) -> SnapshotInterval.of(own, SnapshotType.SAVEPOINT)),
          Map.entry("checkpoint", (own, key) -> SnapshotInterval.of(own, SnapshotType.CHECKPOINT)));

  static final Map<String, Key> KEYS = read();

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

  /**
   * @param notOfSessionJobs why it has no effect in a FlinkSessionJob; empty where it has one
   */
  record Key(ValueType type, Scope scope, String notOfSessionJobs) {}

  /** A key for the operator that Sluice reads; empty for another one. */
  static Optional<Key> operatorKey(String key) {
    return Optional.ofNullable(KEYS.get(key)).filter(it -> it.scope() != Scope.FLINK);
  }

  /** Whether a key is for an operator, known or not. */
  static boolean isForOperator(String key) {
    return key.startsWith(OPERATOR) || key.startsWith(AUTOSCALER);
  }

  private static Object maximum(FlinkConfiguration own, String key) {
    boolean unset = own.getOrDefault(key, "").trim().equals("-1");
    return unset || whole(ClusterSize.MAX_PARALLELISM).read(own, key) != null;
  }

  private static Map<String, Key> read() {
    Map<String, Key> keys = new LinkedHashMap<>();
    TABLE
        .lines()
        .map(line -> line.split(" +", 4))
        .forEach(
            row ->
                keys.put(
                    row[0],
                    new Key(
                        Objects.requireNonNull(TYPES.get(row[1]), row[1]),
                        Scope.valueOf(row[2].toUpperCase(Locale.ROOT)),
                        row.length > 3 ? row[3] : "")));
    return keys;
  }
}
