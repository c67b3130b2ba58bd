package dev.sluice.api.validation;

import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a FlinkDeployment means must be something that Flink and Sluice can do: the rules of
 * Apache's operator ({@code DefaultValidator}) without its autoscaler's, and those of Flink that
 * would fail a deployment half-way. Its shape is checked by the definition and, before anything is
 * stopped, by a dry run of what is made from it.
 */
public final class SpecValidation {
  private SpecValidation() {}

  /**
   * All violations, not only the first; empty when the spec may be deployed. A violation by a value
   * of the defaults says so. Pure.
   *
   * @param lastReconciled the spec deployed or being deployed; null before the first deployment
   * @param defaults what holds where the spec does not say; a key given here counts as given. A
   *     spec that is frozen already keeps those that it was frozen with
   */
  public static List<Violation> validate(
      FlinkDeployment resource,
      @Nullable FrozenSpec lastReconciled,
      DefaultConfiguration defaults) {
    FlinkDeploymentSpec own = resource.getSpec();
    String namespace = Objects.requireNonNullElse(resource.getMetadata().getNamespace(), "");
    FlinkDeploymentSpec effective =
        own.over(
            FrozenSpec.defaultsFor(
                lastReconciled,
                resource.getMetadata().getGeneration(),
                defaults.forResource(namespace, own.flinkVersion())));
    Report report =
        new Report(
            own.configuration(), effective.configuration(), "the operator's default configuration");
    Subject subject = Subject.of(resource.getMetadata(), effective, lastReconciled);
    ClusterRules.check(subject, report);
    ConfigurationRules.check(subject, defaults.restTls(), report);
    ConfigurationRules.checkContradictions(own.flinkConfiguration(), report);
    StateRules.check(subject, report);
    JobRules.check(subject, report);
    MemoryRules.check(subject, report);
    ChangeRules.check(subject, report);
    return report.violations();
  }

  /**
   * Defaults that no part of Sluice reads, or that are ignored, each with its key; empty when there
   * are none. Pure.
   */
  public static List<Warning> warnings(DefaultConfiguration defaults) {
    Report report = new Report();
    defaults
        .entries()
        .forEach(it -> NoEffect.checkDefault(it.key(), it.flinkKey(), it.value(), report));
    return report.warnings();
  }

  /**
   * Settings that are accepted but have no effect, each with its path; empty when there are none.
   * Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkDeployment resource) {
    Report report = new Report();
    Subject subject = Subject.of(resource.getMetadata(), resource.getSpec(), null);
    ClusterRules.checkIngress(subject, report);
    NoEffect.check(subject, report);
    return report.warnings();
  }
}
