package dev.sluice.activities.manifest.common;

import dev.sluice.api.common.FlinkMemory;
import dev.sluice.api.common.Resource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the spec asks for a JobManager or TaskManager pod, in either style; {@code resources} wins
 * over {@code resource}, item by item.
 *
 * <p>Flink takes CPU and memory from its configuration, a limit as a factor of the request;
 * anything else is the pod template's.
 *
 * @param cpu cores; null when not said
 * @param memoryBytes size of the process; null when not said
 * @param cpuLimitFactor limit divided by request
 * @param memoryLimitFactor limit divided by request
 * @param others requests and limits of everything but CPU and memory
 */
public record PodResources(
    @Nullable BigDecimal cpu,
    @Nullable Long memoryBytes,
    BigDecimal cpuLimitFactor,
    BigDecimal memoryLimitFactor,
    ResourceRequirements others) {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";

  /** So that it fits into a long. */
  private static final int MOST_DIGITS = 18;

  private static final long MIB = 1L << 20;
  private static final int MOST_CORES = 1_000_000;

  private static final String EPHEMERAL_STORAGE = "ephemeral-storage";

  /**
   * @param field of the spec, such as {@code spec.jobManager}, for messages
   * @throws IllegalArgumentException naming the field, when an amount cannot be read
   */
  public static PodResources of(
      String field, @Nullable Resource resource, @Nullable ResourceRequirements resources) {
    ResourceRequirements asked = resources == null ? new ResourceRequirements() : resources;
    Optional<BigDecimal> cpu = request(asked, CPU).map(it -> amount(field, CPU, it));
    Optional<BigDecimal> memory = request(asked, MEMORY).map(it -> amount(field, MEMORY, it));
    Optional<Resource> older = Optional.ofNullable(resource);
    return new PodResources(
        cpu.or(() -> older.map(Resource::cpu).map(cores -> cores(field, cores))).orElse(null),
        memory
            .map(BigDecimal::longValue)
            .or(() -> older.map(Resource::memory).map(text -> memory(field, text)))
            .map(bytes -> atLeast(field, bytes))
            .orElse(null),
        factor(limit(asked, CPU).map(it -> amount(field, CPU, it)), cpu),
        factor(limit(asked, MEMORY).map(it -> amount(field, MEMORY, it)), memory),
        others(field, asked, older.map(Resource::ephemeralStorage).orElse(null)));
  }

  /** Flink ignores a negative number of TaskManagers' cores. */
  private static BigDecimal cores(String field, double cores) {
    if (!(cores >= 0 && cores <= MOST_CORES)) {
      throw new IllegalArgumentException(
          "%s.resource.cpu: must be between 0 and %d, but is %s"
              .formatted(field, MOST_CORES, cores));
    }
    return BigDecimal.valueOf(cores);
  }

  /** Flink and Kubernetes get it in MiB. */
  private static long atLeast(String field, long bytes) {
    if (bytes < MIB) {
      throw new IllegalArgumentException(
          "%s.resources: memory must be at least 1 MiB, but is %d bytes".formatted(field, bytes));
    }
    return bytes;
  }

  private static long memory(String field, String text) {
    try {
      return FlinkMemory.parseFlinkOrKubernetes(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + ".resource.memory: " + e.getMessage() + ", is '" + text + "'", e);
    }
  }

  /** The request, or as in Kubernetes the limit where only that is given. */
  private static Optional<Quantity> request(ResourceRequirements asked, String what) {
    Map<String, Quantity> requests = orEmpty(asked.getRequests());
    return Optional.ofNullable(requests.get(what)).or(() -> limit(asked, what));
  }

  private static Optional<Quantity> limit(ResourceRequirements asked, String what) {
    return Optional.ofNullable(orEmpty(asked.getLimits()).get(what));
  }

  /** 1 for a request of nothing: Flink can express no limit then. */
  private static BigDecimal factor(Optional<BigDecimal> limit, Optional<BigDecimal> request) {
    return limit
        .filter(most -> request.isPresent() && request.orElseThrow().signum() > 0)
        .map(most -> most.divide(request.orElseThrow(), MathContext.DECIMAL64))
        .orElse(BigDecimal.ONE);
  }

  /** An amount with an exponent like {@code 1e999999999} would fill the memory when written out. */
  private static BigDecimal amount(String field, String what, Quantity quantity) {
    BigDecimal amount;
    try {
      amount = quantity.getNumericalAmount();
    } catch (IllegalArgumentException | ArithmeticException unreadable) {
      throw new IllegalArgumentException(
          "%s.resources: %s must be a quantity, but is '%s'".formatted(field, what, quantity),
          unreadable);
    }
    if (amount.signum() < 0 || Math.abs((long) amount.precision() - amount.scale()) > MOST_DIGITS) {
      throw new IllegalArgumentException(
          "%s.resources: %s is out of bounds: %s".formatted(field, what, quantity));
    }
    return amount;
  }

  private static ResourceRequirements others(
      String field, ResourceRequirements asked, @Nullable String ephemeralStorage) {
    Map<String, Quantity> requests = withoutCpuAndMemory(field, asked.getRequests());
    Map<String, Quantity> limits = withoutCpuAndMemory(field, asked.getLimits());
    if (ephemeralStorage != null) {
      Quantity storage = new Quantity(ephemeralStorage);
      amount(field, EPHEMERAL_STORAGE, storage);
      requests.putIfAbsent(EPHEMERAL_STORAGE, storage);
      limits.putIfAbsent(EPHEMERAL_STORAGE, storage);
    }
    return new ResourceRequirementsBuilder()
        .withClaims(asked.getClaims())
        .withRequests(requests)
        .withLimits(limits)
        .build();
  }

  private static Map<String, Quantity> withoutCpuAndMemory(
      String field, @Nullable Map<String, Quantity> all) {
    Map<String, Quantity> rest = new TreeMap<>(orEmpty(all));
    rest.keySet().removeAll(Set.of(CPU, MEMORY));
    rest.forEach((name, quantity) -> amount(field, name, quantity));
    return rest;
  }

  private static Map<String, Quantity> orEmpty(@Nullable Map<String, Quantity> map) {
    return map == null ? Map.of() : map;
  }
}
