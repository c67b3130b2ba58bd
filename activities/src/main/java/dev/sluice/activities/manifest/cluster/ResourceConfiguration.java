package dev.sluice.activities.manifest.cluster;

import dev.sluice.activities.manifest.common.PodResources;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The spec's CPU and memory as the Flink options that mean the same. */
final class ResourceConfiguration {
  private static final long MIB = 1L << 20;

  private ResourceConfiguration() {}

  /** What {@code spec.jobManager} and {@code spec.taskManager} say; nothing of what they do not. */
  static Map<String, String> of(FlinkDeploymentSpec spec) {
    FlinkVersion version = Objects.requireNonNull(spec.flinkVersion());
    Map<String, String> options = new LinkedHashMap<>();
    options.putAll(options("jobmanager", jobManager(spec), version));
    options.putAll(options("taskmanager", taskManager(spec), version));
    return options;
  }

  static PodResources jobManager(FlinkDeploymentSpec spec) {
    return PodResources.of(
        "spec.jobManager", spec.jobManager().resource(), spec.jobManager().resources());
  }

  static PodResources taskManager(FlinkDeploymentSpec spec) {
    return PodResources.of(
        "spec.taskManager", spec.taskManager().resource(), spec.taskManager().resources());
  }

  /** The key of the cores of a role; it has this name since Flink 1.17. */
  static String cpuKey(String role, FlinkVersion version) {
    return "kubernetes." + role + ".cpu" + (version.isAtLeast(FlinkVersion.V1_17) ? ".amount" : "");
  }

  private static Map<String, String> options(
      String role, PodResources resources, FlinkVersion version) {
    Map<String, String> options = new LinkedHashMap<>();
    BigDecimal cpu = resources.cpu();
    Long memory = resources.memoryBytes();
    if (cpu != null) {
      options.put(cpuKey(role, version), text(cpu));
      putFactor(options, "kubernetes." + role + ".cpu.limit-factor", resources.cpuLimitFactor());
    }
    if (memory != null) {
      options.put(role + ".memory.process.size", memorySize(memory));
      putFactor(
          options, "kubernetes." + role + ".memory.limit-factor", resources.memoryLimitFactor());
    }
    return options;
  }

  private static void putFactor(Map<String, String> options, String key, BigDecimal factor) {
    if (factor.compareTo(BigDecimal.ONE) != 0) {
      options.put(key, text(factor));
    }
  }

  private static String text(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  private static String memorySize(long bytes) {
    return bytes % MIB == 0 ? bytes / MIB + "m" : bytes + "b";
  }
}
