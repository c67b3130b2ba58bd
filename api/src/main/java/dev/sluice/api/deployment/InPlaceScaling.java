package dev.sluice.api.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.ServiceMetadata;
import dev.sluice.api.common.SpecChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Whether the job of one spec becomes that of another by running with another parallelism, without
 * a restart of its cluster: by what both specs say. Whether Flink can do it is for Flink to say.
 */
public final class InPlaceScaling {
  /** Apache's key; without it every scale is an upgrade. */
  public static final String ENABLED = "kubernetes.operator.job.upgrade.inplace-scaling.enabled";

  /** Flink's key of the parallelism of single vertices. */
  public static final String OVERRIDES = "pipeline.jobvertex-parallelism-overrides";

  /** Flink's key of the scheduler. */
  public static final String SCHEDULER = "jobmanager.scheduler";

  /** Flink's key of the most subtasks that a vertex can ever have. */
  public static final String MAXIMUM = "pipeline.max-parallelism";

  private static final String CONFIGURATION = "spec.flinkConfiguration.";

  private InPlaceScaling() {}

  /**
   * Why the job that runs cannot be scaled to the newest spec in place; empty when it may be tried.
   *
   * @param runs what the cluster was made from, with its defaults
   * @param newest valid, with the defaults of now
   */
  public static Optional<String> problem(FrozenSpec runs, FrozenSpec newest) {
    return problem(runs, newest, InPlaceScaling::isScale);
  }

  /**
   * Whether the vertices of the job that runs tell whether the newest spec can be reached: it may
   * be scaled in place, or the maximum parallelism has changed, too, for which an upgrade may fail
   * once it has stopped the job.
   *
   * @param runs as for {@link #problem}
   * @param newest as for {@link #problem}
   */
  public static boolean isToldByVertices(FrozenSpec runs, FrozenSpec newest) {
    return problem(runs, newest, it -> isScale(it) || isOfMaximum(it)).isEmpty();
  }

  private static Optional<String> problem(
      FrozenSpec runs, FrozenSpec newest, Predicate<SpecChange> allowed) {
    FlinkDeploymentSpec spec = newest.effective();
    FlinkConfiguration configuration = spec.configuration();
    if (!spec.isApplication() || (spec.job() != null && spec.job().isSuspended())) {
      return Optional.of("no job is to run");
    }
    List<SpecChange> changes = changes(runs, newest);
    Optional<SpecChange> more = changes.stream().filter(Predicate.not(allowed)).findFirst();
    if (changes.isEmpty() || more.isPresent()) {
      return Optional.of(
          more.map(it -> it.path() + " has changed, too").orElse("the parallelism is the same"));
    }
    if (!isTrue(configuration.getOrDefault(ENABLED, "true"))) {
      return Optional.of(ENABLED + " is false");
    }
    if (ReactiveMode.isOn(configuration)) {
      return Optional.of("in reactive mode the number of TaskManagers decides");
    }
    if (!configuration.getOrDefault(SCHEDULER, "").trim().equalsIgnoreCase("adaptive")) {
      return Optional.of(SCHEDULER + " is not 'adaptive'");
    }
    FlinkVersion version = spec.flinkVersion();
    return version == null || !version.isAtLeast(FlinkVersion.V1_18)
        ? Optional.of("Flink before 1.18 cannot change the parallelism of a job that runs")
        : Optional.empty();
  }

  /**
   * The parallelism of single vertices, by their ids.
   *
   * @throws IllegalArgumentException when a value is none, or the key is no map
   */
  public static Map<String, Integer> overrides(FlinkConfiguration configuration) {
    Map<String, Integer> overrides = new TreeMap<>();
    configuration
        .map(OVERRIDES)
        .forEach((vertex, text) -> overrides.put(vertex, parallelism(vertex, text)));
    return overrides;
  }

  private static int parallelism(String vertex, String text) {
    int number = text.matches("\\s*\\d{1,5}\\s*") ? Integer.parseInt(text.trim()) : 0;
    if (number < 1 || number > ClusterSize.MAX_PARALLELISM) {
      throw new IllegalArgumentException(
          FlinkConfiguration.problem(
              OVERRIDES,
              "must give each vertex between 1 and %d, but is '%s' for vertex '%s'"
                  .formatted(ClusterSize.MAX_PARALLELISM, text, vertex)));
    }
    return number;
  }

  private static List<SpecChange> changes(FrozenSpec runs, FrozenSpec newest) {
    return SpecDiff.between(runs.effective(), newest.effective()).changes().stream()
        .filter(it -> it.kind().needsOperation() || isOfService(it.path()))
        .toList();
  }

  /** What is taken away from a Service is found out by comparison with the spec that runs. */
  private static boolean isOfService(String path) {
    return path.startsWith(CONFIGURATION)
        && ServiceMetadata.isDecidedBy(path.substring(CONFIGURATION.length()));
  }

  private static boolean isScale(SpecChange change) {
    String path = change.path();
    return path.equals("spec.job.parallelism")
        || path.equals("spec.taskManager.replicas")
        || path.equals(CONFIGURATION + OVERRIDES)
        || path.startsWith(CONFIGURATION + OVERRIDES + ".");
  }

  private static boolean isOfMaximum(SpecChange change) {
    return change.path().equals(CONFIGURATION + MAXIMUM);
  }

  private static boolean isTrue(String value) {
    return value.trim().equalsIgnoreCase("true");
  }
}
