package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkMemory;
import dev.sluice.api.common.KubernetesQuantity;
import dev.sluice.api.common.Resource;
import org.jspecify.annotations.Nullable;

/** The older style: {@code resource: {cpu, memory, ephemeralStorage}}. */
final class ResourceRules implements Rule {
  @Override
  public void check(Subject subject, Report report) {
    check("spec.jobManager.resource", subject.spec().jobManager().resource(), report);
    check("spec.taskManager.resource", subject.spec().taskManager().resource(), report);
  }

  private static void check(String path, @Nullable Resource resource, Report report) {
    if (resource == null) {
      return;
    }
    Double cpu = resource.cpu();
    if (cpu != null && !(cpu >= 0 && cpu <= NumberRules.MOST_CORES)) {
      report.add(
          path + ".cpu",
          "must be between 0 and %d, but is %s".formatted(NumberRules.MOST_CORES, cpu));
    }
    String memory = resource.memory();
    if (memory != null && !isMemory(memory)) {
      report.add(
          path + ".memory",
          "must be an amount of memory like '2048m' or '2Gi', at least 1 MiB and at most 1 PiB,"
              + " but is "
              + Printable.quoted(memory));
    }
    String storage = resource.ephemeralStorage();
    if (storage != null && !isQuantity(storage)) {
      report.add(
          path + ".ephemeralStorage",
          "must be a quantity like '2Gi' or '500M', but is " + Printable.quoted(storage));
    }
  }

  private static boolean isMemory(String text) {
    try {
      long bytes = FlinkMemory.parseFlinkOrKubernetes(text);
      return bytes >= MemoryRules.LEAST_BYTES && bytes <= MemoryRules.MOST_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isQuantity(String text) {
    try {
      return KubernetesQuantity.parse(text).signum() >= 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
