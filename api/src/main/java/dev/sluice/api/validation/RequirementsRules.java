package dev.sluice.api.validation;

import dev.sluice.api.common.KubernetesQuantity;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newer style: {@code resources: {requests, limits}}, as in a container. */
final class RequirementsRules implements Rule {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  @Override
  public void check(Subject subject, Report report) {
    check("spec.jobManager.resources", subject.spec().jobManager().resources(), report);
    check("spec.taskManager.resources", subject.spec().taskManager().resources(), report);
  }

  private static void check(String path, @Nullable ResourceRequirements resources, Report report) {
    if (resources == null) {
      return;
    }
    Map<String, BigDecimal> requests = amounts(path + ".requests", resources.getRequests(), report);
    Map<String, BigDecimal> limits = amounts(path + ".limits", resources.getLimits(), report);
    requests.forEach(
        (name, request) -> {
          BigDecimal limit = limits.get(name);
          if (limit != null && request.compareTo(limit) > 0) {
            report.add(
                path + ".requests." + name,
                "must not be more than its limit "
                    + resources.getLimits().get(name)
                    + ", but is "
                    + resources.getRequests().get(name));
          }
        });
  }

  /** Those that can be read and used; the others are reported. */
  private static Map<String, BigDecimal> amounts(
      String path, @Nullable Map<String, Quantity> quantities, Report report) {
    Map<String, BigDecimal> amounts = new HashMap<>();
    if (quantities != null) {
      new TreeMap<>(quantities)
          .forEach(
              (name, quantity) -> {
                String wrong = wrong(name, quantity);
                if (wrong == null) {
                  amounts.put(name, KubernetesQuantity.parse(quantity.toString()));
                } else {
                  report.add(
                      path + "." + name, wrong + ", but is " + Printable.quoted(text(quantity)));
                }
              });
    }
    return amounts;
  }

  /** What the quantity must be and is not; null when it is fine. */
  private static @Nullable String wrong(String name, @Nullable Quantity quantity) {
    BigDecimal amount;
    try {
      amount = KubernetesQuantity.parse(text(quantity));
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    if (name.equals(MEMORY)) {
      boolean sane =
          amount.compareTo(BigDecimal.valueOf(MemoryRules.LEAST_BYTES)) >= 0
              && amount.compareTo(BigDecimal.valueOf(MemoryRules.MOST_BYTES)) <= 0;
      return sane ? null : "must be at least 1 MiB and at most 1 PiB";
    }
    if (name.equals(CPU)) {
      boolean sane =
          amount.signum() > 0 && amount.compareTo(BigDecimal.valueOf(NumberRules.MOST_CORES)) <= 0;
      return sane ? null : "must be more than 0 and at most " + NumberRules.MOST_CORES;
    }
    return amount.signum() < 0 ? "must not be negative" : null;
  }

  private static String text(@Nullable Quantity quantity) {
    return quantity == null ? "" : quantity.toString();
  }
}
