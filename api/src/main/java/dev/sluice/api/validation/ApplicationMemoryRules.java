package dev.sluice.api.validation;

import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ImageVersion;
import dev.sluice.api.application.JobManagerConfig;
import dev.sluice.api.application.TaskManagerConfig;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the memory that is Flink's. Lyft's operator drops the whole configuration where that
 * cannot be calculated, and starts the cluster nevertheless.
 */
final class ApplicationMemoryRules implements ApplicationValidation.ApplicationRule {
  private static final BigDecimal LEAST = BigDecimal.valueOf(MemoryRules.LEAST_BYTES);
  private static final BigDecimal MOST = BigDecimal.valueOf(MemoryRules.MOST_BYTES);

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    Context context =
        new Context(ImageVersion.isHeapOnly(spec.flinkVersion()), spec.flinkVersion(), report);
    JobManagerConfig jobManager = spec.jobManagerConfig();
    check(
        "spec.jobManagerConfig",
        jobManager.resources(),
        jobManager.offHeapMemoryFraction(),
        jobManager.systemMemoryFraction(),
        context);
    TaskManagerConfig taskManager = spec.taskManagerConfig();
    check(
        "spec.taskManagerConfig",
        taskManager.resources(),
        taskManager.offHeapMemoryFraction(),
        taskManager.systemMemoryFraction(),
        context);
  }

  private record Context(boolean heapOnly, @Nullable String version, Report report) {}

  private static void check(
      String process,
      ResourceRequirements resources,
      @Nullable Double offHeap,
      @Nullable Double system,
      Context context) {
    Report report = context.report();
    Map<String, Quantity> requests = Objects.requireNonNullElse(resources.getRequests(), Map.of());
    if (context.heapOnly() && system != null) {
      report.add(
          process + ".systemMemoryFraction",
          "is for Flink 1.11 and later, but spec.flinkVersion is "
              + (context.version() == null ? "not given" : Printable.quoted(context.version()))
              + ". Set it to the Flink version in the image");
    }
    if (!context.heapOnly() && offHeap != null) {
      report.add(
          process + ".offHeapMemoryFraction",
          "is for Flink before 1.11, but spec.flinkVersion is "
              + Printable.quoted(String.valueOf(context.version()))
              + ". Use systemMemoryFraction");
    }
    String field = context.heapOnly() ? "offHeapMemoryFraction" : "systemMemoryFraction";
    Double fraction = context.heapOnly() ? offHeap : system;
    Quantity memory = requests.get("memory");
    if (memory == null) {
      report.add(
          process + ".resources.requests.memory",
          "must be given: Flink's memory is calculated from it");
      return;
    }
    amount(memory)
        .ifPresent(
            bytes -> {
              double part = fraction == null ? (context.heapOnly() ? 0.5 : 0.2) : fraction;
              BigDecimal left = bytes.multiply(BigDecimal.valueOf(1 - part));
              if (left.compareTo(LEAST) < 0 || bytes.compareTo(MOST) > 0) {
                report.add(
                    process + ".resources.requests.memory",
                    "must leave Flink between 1 MiB and 1 PiB, but is %s, of which %s takes %s"
                        .formatted(Printable.quoted(memory), field, part));
              }
            });
  }

  private static Optional<BigDecimal> amount(Quantity quantity) {
    try {
      return Optional.of(Quantity.getAmountInBytes(quantity));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
