package dev.sluice.api.validation;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The newer style: {@code resources: {requests, limits}}, as in a container. */
final class RequirementsRules implements Rule {
  private static final Set<String> MORE_THAN_ZERO = Set.of("cpu", "memory");

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
                    + ", is "
                    + resources.getRequests().get(name));
          }
        });
  }

  /** Those that can be read; the others are reported. */
  private static Map<String, BigDecimal> amounts(
      String path, @Nullable Map<String, Quantity> quantities, Report report) {
    Map<String, BigDecimal> amounts = new HashMap<>();
    if (quantities == null) {
      return amounts;
    }
    new TreeMap<>(quantities)
        .forEach(
            (name, quantity) -> {
              BigDecimal amount = amount(quantity);
              if (amount == null) {
                report.add(
                    path + "." + name,
                    "must be a quantity like '500m' or '2Gi', is '" + quantity + "'");
              } else if (amount.signum() < (MORE_THAN_ZERO.contains(name) ? 1 : 0)) {
                report.add(
                    path + "." + name,
                    (MORE_THAN_ZERO.contains(name) ? "must be more than 0" : "must not be negative")
                        + ", is "
                        + quantity);
              } else {
                amounts.put(name, amount);
              }
            });
    return amounts;
  }

  private static @Nullable BigDecimal amount(Quantity quantity) {
    try {
      return quantity.getNumericalAmount();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
