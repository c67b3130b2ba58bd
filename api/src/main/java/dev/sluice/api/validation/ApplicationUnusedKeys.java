package dev.sluice.api.validation;

import static dev.sluice.api.validation.ApplicationValidation.keyPath;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.RestoreKeys;
import java.util.Map;

/** Keys of the Flink configuration that the cluster does not get as they are written. */
final class ApplicationUnusedKeys implements ApplicationValidation.ApplicationRule {
  private static final String JOB_MANAGER_MEMORY =
      "spec.jobManagerConfig.resources.requests.memory";
  private static final String TASK_MANAGER_MEMORY =
      "spec.taskManagerConfig.resources.requests.memory";

  /** By the field that wins. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("taskmanager.numberOfTaskSlots", "spec.taskManagerConfig.taskSlots"),
          Map.entry("jobmanager.rpc.port", "spec.rpcPort"),
          Map.entry("jobmanager.web.port", "spec.uiPort"),
          Map.entry("rest.port", "spec.uiPort"),
          Map.entry("query.server.port", "spec.queryPort"),
          Map.entry("blob.server.port", "spec.blobPort"),
          Map.entry("metrics.internal.query-service.port", "spec.metricsQueryPort"),
          Map.entry("jobmanager.heap.size", JOB_MANAGER_MEMORY),
          Map.entry("jobmanager.memory.process.size", JOB_MANAGER_MEMORY),
          Map.entry("taskmanager.heap.size", TASK_MANAGER_MEMORY),
          Map.entry("taskmanager.memory.process.size", TASK_MANAGER_MEMORY),
          Map.entry("parallelism.default", "spec.parallelism"),
          Map.entry("execution.savepoint.path", "spec.savepointPath"),
          Map.entry("execution.state-recovery.path", "spec.savepointPath"),
          Map.entry("execution.savepoint.ignore-unclaimed-state", "spec.allowNonRestoredState"),
          Map.entry(
              "execution.state-recovery.ignore-unclaimed-state", "spec.allowNonRestoredState"));

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    FlinkConfiguration own = spec.configuration();
    own.asMap()
        .keySet()
        .forEach(
            key -> {
              if (FIELDS.containsKey(key)) {
                report.warn(
                    keyPath(key), "has no effect: " + FIELDS.get(key) + " decides. Remove it");
              } else if (key.equals("jobmanager.rpc.address")
                  || key.equals("kubernetes.cluster-id")
                  || key.equals("high-availability.cluster-id")) {
                report.warn(keyPath(key), "has no effect: each version has its own. Remove it");
              } else if (key.equals("kubernetes.namespace")) {
                report.warn(keyPath(key), "has no effect: that of the resource counts. Remove it");
              } else if (key.startsWith("kubernetes.operator.")) {
                report.warn(
                    keyPath(key),
                    "has no effect: a FlinkApplication is configured by its fields. Remove it");
              } else if (RestoreKeys.CLAIM_MODES.contains(key)) {
                report.warn(
                    keyPath(key),
                    "has no effect: jobs are started with NO_CLAIM, so that the state is kept that"
                        + " a rollback goes back to. Remove it");
              }
            });
    if (HighAvailabilityMode.of(own) == HighAvailabilityMode.OTHER) {
      report.warn(
          keyPath(HighAvailabilityMode.key(own).orElse(HighAvailabilityMode.KEY)),
          "Sluice does not look into high-availability metadata outside Kubernetes: of a job that"
              + " is lost the newest checkpoint in the status or in the storage counts");
    }
  }
}
