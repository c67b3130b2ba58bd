package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.KubernetesOptions;
import dev.sluice.api.deployment.ClusterSize;
import java.util.List;
import java.util.stream.Stream;

/** Numbers in the Flink configuration that Sluice calculates with or hands to Kubernetes. */
final class NumberRules implements Rule {
  /** More cores than any node has; keeps every product of them finite. */
  static final int MOST_CORES = 1_000_000;

  private static final int LARGEST_FACTOR = 1000;
  private static final int LARGEST_PORT = 65_535;
  private static final String MAX_PARALLELISM = "pipeline.max-parallelism";
  private static final List<String> FRACTIONS =
      List.of(
          "jobmanager.memory.jvm-overhead.fraction",
          "taskmanager.memory.jvm-overhead.fraction",
          "taskmanager.memory.network.fraction");

  /** Flink takes a range for some of them, but a Service needs one number. */
  private static final List<String> PORTS =
      List.of(
          "rest.port",
          "rest.bind-port",
          "jobmanager.rpc.port",
          "blob.server.port",
          "taskmanager.rpc.port");

  @Override
  public void check(Subject subject, Report report) {
    FlinkConfiguration own = subject.spec().configuration();
    PORTS.forEach(key -> whole(own, key, 0, LARGEST_PORT, report));
    whole(own, ClusterSize.SLOTS, 1, ClusterSize.MAX_PARALLELISM, report);
    if (!own.getOrDefault(MAX_PARALLELISM, "").trim().equals("-1")) { // Flink's "not set"
      whole(own, MAX_PARALLELISM, 1, ClusterSize.MAX_PARALLELISM, report);
    }
    KubernetesOptions options = new KubernetesOptions(own);
    Stream.of("jobmanager", "taskmanager")
        .map(role -> "kubernetes." + role)
        .forEach(
            role -> {
              decimal(options, role + ".cpu", 0, MOST_CORES, report);
              decimal(options, role + ".cpu.amount", 0, MOST_CORES, report);
              decimal(options, role + ".cpu.limit-factor", 1, LARGEST_FACTOR, report);
              decimal(options, role + ".memory.limit-factor", 1, LARGEST_FACTOR, report);
            });
    decimal(options, "taskmanager.cpu.cores", 0, MOST_CORES, report);
    FRACTIONS.forEach(key -> decimal(options, key, 0, 0.99, report));
  }

  private static void whole(
      FlinkConfiguration own, String key, int least, int most, Report report) {
    if (own.get(key).filter(String::isBlank).isPresent()) {
      report.add(Subject.keyPath(key), "must be a whole number, but is empty. Remove it");
      return;
    }
    Parsing.of(key, report, () -> own.integer(key))
        .flatMap(number -> number)
        .filter(number -> number < least || number > most)
        .ifPresent(
            number ->
                report.add(
                    Subject.keyPath(key),
                    "must be between %d and %d, but is %d".formatted(least, most, number)));
  }

  private static void decimal(
      KubernetesOptions options, String key, double least, double most, Report report) {
    Parsing.of(key, report, () -> options.number(key, least))
        .filter(number -> number < least || number > most)
        .ifPresent(
            number ->
                report.add(
                    Subject.keyPath(key),
                    "must be between "
                        + shown(least)
                        + " and "
                        + shown(most)
                        + ", but is "
                        + number));
  }

  private static String shown(double bound) {
    return bound == (int) bound ? Integer.toString((int) bound) : Double.toString(bound);
  }
}
