package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkMemory;
import dev.sluice.api.common.Resource;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
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
    if (cpu != null && cpu < 0) {
      report.add(path + ".cpu", "must not be negative, is " + cpu);
    }
    String memory = resource.memory();
    if (memory != null && !memory.isBlank() && !isMemory(memory)) {
      report.add(
          path + ".memory",
          "must be an amount of memory like '2048m' or '2Gi', is '" + memory + "'");
    }
    String storage = resource.ephemeralStorage();
    if (storage != null && !isQuantity(storage)) {
      report.add(
          path + ".ephemeralStorage",
          "must be a quantity like '2Gi' or '500M', is '" + storage + "'");
    }
  }

  private static boolean isMemory(String text) {
    try {
      return FlinkMemory.parseFlinkOrKubernetes(text) > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isQuantity(String text) {
    try {
      return Quantity.getAmountInBytes(Quantity.parse(text)).compareTo(BigDecimal.ZERO) >= 0;
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return false;
    }
  }
}
