package dev.sluice.api.validation;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.DefaultConfiguration.Entry;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.HistoryCaps;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a FlinkDeployment means must be something that Flink and Sluice can do: the rules of
 * Apache's operator ({@code DefaultValidator}) without its autoscaler's, and those of Flink that
 * would fail a deployment half-way. Its shape is checked by the definition and, before anything is
 * stopped, by a dry run of what is made from it.
 */
public final class SpecValidation {
  private static final List<Rule> RULES =
      List.of(
          new ClusterRules(),
          new ConfigurationRules(),
          new StateRules(true),
          new JobRules(),
          new MemoryRules(),
          new ChangeRules(),
          new UnusedFields(),
          new UnusedKeys());

  /** Checks that belong together: what is invalid, and what has no effect. Pure. */
  @FunctionalInterface
  interface Rule {
    void check(Subject subject, Report report);
  }

  private static final Function<Entry, Stream<Warning>> IGNORED =
      it ->
          it.flinkKey().equals(HistoryCaps.COUNT) || it.flinkKey().equals(HistoryCaps.AGE)
              ? HistoryCaps.problem(it.flinkKey(), it.value())
                  .map(why -> new Warning(it.key(), why))
                  .stream()
              : Stream.empty();

  private SpecValidation() {}

  /**
   * All violations, not only the first; empty when the spec may be deployed. Pure.
   *
   * @param lastReconciled the spec deployed or being deployed; null before the first deployment
   */
  public static List<Violation> validate(
      FlinkDeployment resource, @Nullable FrozenSpec lastReconciled) {
    return validate(resource, lastReconciled, DefaultConfiguration.NONE);
  }

  /**
   * As {@link #validate(FlinkDeployment, FrozenSpec)}, for an operator that adds Flink
   * configuration of its own. A violation by one of its values names where that comes from.
   *
   * @param defaults what holds where the spec does not say; a key given here counts as given. A
   *     spec that is frozen already keeps those that it was frozen with
   */
  public static List<Violation> validate(
      FlinkDeployment resource,
      @Nullable FrozenSpec lastReconciled,
      DefaultConfiguration defaults) {
    FlinkDeploymentSpec own = resource.getSpec();
    String namespace = namespace(resource);
    FlinkDeploymentSpec effective =
        own.over(
            FrozenSpec.defaultsFor(
                lastReconciled,
                resource.getMetadata().getGeneration(),
                defaults.forResource(namespace, own.flinkVersion())));
    Report report = apply(resource, effective, lastReconciled);
    report.contradictions(own.flinkConfiguration());
    FlinkConfiguration configuration = own.configuration();
    return report.violations().stream()
        .map(
            it ->
                it.withOrigin(
                    configuration,
                    key ->
                        defaults
                            .origin(key, namespace, own.flinkVersion())
                            .map(from -> "the operator's default configuration (" + from + ")")))
        .toList();
  }

  /**
   * Defaults that no part of Sluice reads, or that are ignored, each with its key; empty when there
   * are none. Pure.
   */
  public static List<Warning> warnings(DefaultConfiguration defaults) {
    Stream<String> keys = defaults.entries().stream().map(Entry::flinkKey).distinct().sorted();
    return Stream.concat(UnusedKeys.unread(keys), defaults.entries().stream().flatMap(IGNORED))
        .toList();
  }

  /**
   * Settings that are accepted but have no effect, each with its path; empty when there are none.
   * Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkDeployment resource) {
    return apply(resource, resource.getSpec(), null).warnings();
  }

  private static Report apply(
      FlinkDeployment resource, FlinkDeploymentSpec spec, @Nullable FrozenSpec lastReconciled) {
    Subject subject =
        new Subject(
            Objects.requireNonNullElse(resource.getMetadata().getName(), ""),
            namespace(resource),
            Objects.requireNonNullElse(resource.getMetadata().getAnnotations(), Map.of()),
            spec,
            spec.configuration(),
            lastReconciled);
    Report report = new Report();
    RULES.forEach(rule -> rule.check(subject, report));
    return report;
  }

  private static String namespace(FlinkDeployment resource) {
    return Objects.requireNonNullElse(resource.getMetadata().getNamespace(), "");
  }
}
