package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.FlinkPorts;
import dev.sluice.activities.manifest.common.HighAvailabilityOptions;
import dev.sluice.api.common.CheckpointInterval;
import dev.sluice.api.common.FlinkClientKeys;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.HighAvailabilityMode;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.common.StructuredOption;
import dev.sluice.api.deployment.ClusterSize;
import dev.sluice.workflows.model.StateRef;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Flink configuration of the cluster: what the user wrote, without what is meant for an
 * operator, and over it what the spec says elsewhere and what the cluster needs.
 *
 * <p>Defaults and forced values are those of Apache's operator, so that an existing manifest means
 * the same here.
 */
final class ClusterConfiguration {
  private static final List<String> FOR_OPERATORS =
      List.of("kubernetes.operator.", "job.autoscaler.");

  /** No such file: Flink's failure names it, so it says what is wrong. */
  private static final String NO_METADATA = "high-availability-metadata-is-missing";

  private static final String CLASS_PATH = "pipeline.classpaths";

  private final ClusterTarget target;
  private final SortedMap<String, String> options;

  private ClusterConfiguration(ClusterTarget target) {
    this.target = target;
    this.options =
        new TreeMap<>(
            CheckpointInterval.effective(target.spec().configuration(), target.spec().job())
                .asMap());
  }

  /**
   * @throws IllegalArgumentException naming the field of the spec that cannot be expressed
   */
  static FlinkConfiguration of(ClusterTarget target) {
    ClusterConfiguration building = new ClusterConfiguration(target);
    building.removeWhatIsNotForTheCluster();
    building.describePods();
    building.options.putIfAbsent("web.cancel.enable", "false");
    if (target.isSession()) {
      building.options.keySet().removeIf(key -> key.startsWith("$internal."));
      if (!target.isStandalone()) {
        building.options.put("execution.target", "kubernetes-session");
      }
    } else {
      building.describeJob();
      building.keepStateWithinReach();
      building.restore();
    }
    building.describeCluster();
    return FlinkConfiguration.of(building.options);
  }

  private void removeWhatIsNotForTheCluster() {
    options.keySet().removeIf(key -> FOR_OPERATORS.stream().anyMatch(key::startsWith));
    options.keySet().removeAll(FlinkClientKeys.ALL);
    // of a session cluster each of its jobs would inherit them
    options.keySet().removeAll(RestoreKeys.ALL);
  }

  private void describePods() {
    FlinkVersion version = target.flinkVersion();
    put(
        version.isAtLeast(FlinkVersion.V1_17)
            ? "kubernetes.container.image.ref"
            : "kubernetes.container.image",
        target.spec().image());
    put("kubernetes.container.image.pull-policy", target.spec().imagePullPolicy());
    put("kubernetes.service-account", target.spec().serviceAccount());
    options.put("kubernetes.jobmanager.replicas", target.spec().jobManager().replicas().toString());
    options.putAll(ResourceConfiguration.of(target.spec()));
    options.putIfAbsent("kubernetes.rest-service.exposed.type", "ClusterIP");
  }

  private void describeJob() {
    options.put("$internal.pipeline.job-id", target.jobId());
    options.putIfAbsent("pipeline.name", target.name());
    if (target.isStandalone()) {
      describeClassPath();
    } else {
      describeProgram(target.job());
    }
    int parallelism = ClusterSize.of(target.spec()).parallelism();
    if (parallelism > 0) {
      options.put("parallelism.default", Integer.toString(parallelism));
    }
    // The JobManager stays after the job ends, however it ends, so that how it ended and its last
    // checkpoint can still be asked for.
    options.put("execution.shutdown-on-application-finish", "false");
    options.put("execution.submit-failed-job-on-application-error", "true");
  }

  /** For the native entry point; the standalone one is told on its command line. */
  private void describeProgram(JobSpec job) {
    options.put("execution.target", "kubernetes-application");
    put("$internal.application.main", job.entryClass());
    putList("pipeline.jars", Stream.ofNullable(job.jarURI()).toList());
    putList("$internal.application.program-args", job.args());
  }

  /** The job's jar, and behind it what else the user wants there. */
  private void describeClassPath() {
    options.remove("pipeline.jars");
    List<String> theirs = FlinkConfiguration.of(options).list(CLASS_PATH);
    putList(
        CLASS_PATH,
        Stream.concat(UserJar.of(target).classpath().stream(), theirs.stream())
            .distinct()
            .toList());
  }

  private void keepStateWithinReach() {
    options.putIfAbsent(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
  }

  /** These options have new names since Flink 1.20; 2.x still reads the old ones. */
  private void restore() {
    boolean renamed = target.flinkVersion().isAtLeast(FlinkVersion.V1_20);
    put(
        renamed ? "execution.state-recovery.path" : "execution.savepoint.path",
        restorePath(target).orElse(null));
    put(
        renamed
            ? "execution.state-recovery.ignore-unclaimed-state"
            : "execution.savepoint.ignore-unclaimed-state",
        Objects.toString(target.job().allowNonRestoredState(), null));
  }

  /**
   * Flink ignores the path while its metadata has a checkpoint. Without one the job must fail, and
   * not start from nothing (FLINK-35292).
   */
  static Optional<String> restorePath(ClusterTarget target) {
    if (!(target.restore() instanceof StateRef.HaMetadata)) {
      return Optional.ofNullable(target.restore().pathOrNull());
    }
    if (!HighAvailabilityMode.of(target.spec().configuration()).isOn()) {
      throw new IllegalArgumentException(
          FlinkConfiguration.problem(
              HighAvailabilityMode.KEY,
              "must be kubernetes to start from " + target.restore().display()));
    }
    return Optional.of(NO_METADATA);
  }

  private void describeCluster() {
    options.put("kubernetes.cluster-id", target.name());
    options.put("kubernetes.namespace", target.namespace());
    if (!target.isStandalone()) {
      options.put(
          "kubernetes.internal.jobmanager.entrypoint.class",
          target.isSession()
              ? "org.apache.flink.kubernetes.entrypoint.KubernetesSessionClusterEntrypoint"
              : "org.apache.flink.kubernetes.entrypoint.KubernetesApplicationClusterEntrypoint");
      options.put("internal.cluster.execution-mode", "NORMAL");
    }
    FlinkConfiguration soFar = FlinkConfiguration.of(options);
    FlinkPorts ports = FlinkPorts.of(soFar);
    options.put(FlinkPorts.BLOB, Integer.toString(ports.blob()));
    options.put(FlinkPorts.TASK_MANAGER_RPC, Integer.toString(ports.taskManagerRpc()));
    boolean highlyAvailable = HighAvailabilityMode.of(soFar).isOn();
    if (highlyAvailable) {
      describeHighAvailability(soFar, ports);
    }
    if (!highlyAvailable || target.isStandalone()) {
      options.put("jobmanager.rpc.address", target.name() + "." + target.namespace());
    }
  }

  private void describeHighAvailability(FlinkConfiguration soFar, FlinkPorts ports) {
    options.put(HighAvailabilityOptions.CLUSTER_ID, target.name());
    if (soFar.getOrDefault(HighAvailabilityOptions.JOB_MANAGER_PORT, "0").trim().equals("0")) {
      options.put(HighAvailabilityOptions.JOB_MANAGER_PORT, Integer.toString(ports.rpc()));
    }
    if (target.isSession()) {
      return;
    }
    // A JobManager that starts again after its job ended must not run the job again from nothing:
    // the entry of this job id in the store tells it. The next job has another id and another path.
    options.putIfAbsent("job-result-store.delete-on-commit", "false");
    HighAvailabilityOptions.storageDir(soFar)
        .ifPresent(
            dir ->
                options.putIfAbsent(
                    "job-result-store.storage-path",
                    dir + "/job-result-store/" + target.name() + "/" + target.jobId()));
  }

  private void put(String key, @Nullable String value) {
    if (value != null && !value.isBlank()) {
      options.put(key, value);
    }
  }

  private void putList(String key, List<String> items) {
    if (!items.isEmpty()) {
      options.put(key, StructuredOption.ofList(items, target.flinkVersion()));
    }
  }
}
