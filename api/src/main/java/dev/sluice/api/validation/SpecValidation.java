package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FrozenSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Every rule a FlinkDeployment must keep before anything is done for it: those of Apache's operator
 * ({@code DefaultValidator}) without its autoscaler's, those of Kubernetes and Flink that would
 * fail a deployment half-way, and {@link NotYetSupported}.
 */
public final class SpecValidation {
  private static final List<Rule> RULES =
      List.of(
          new NameRule(),
          new VersionRules(),
          new ServiceAccountRules(),
          new ImageRules(),
          new ConfigurationRules(),
          new ConfigurationKeyRules(),
          new PlainFileRules(),
          new TypedKeyRules(),
          new NumberRules(),
          new HighAvailabilityRules(),
          new SelectorLabelRules(),
          new KubernetesOptionRules(),
          new StateDirectoryRules(),
          new IngressRules(),
          new LogRules(),
          new JobRules(),
          new ParallelismRules(),
          new MemoryRules(),
          new ResourceRules(),
          new RequirementsRules(),
          new PodTemplateRules(),
          new ChangeRules(),
          new NotYetSupported());

  private static final List<Rule> EFFECTS =
      List.of(
          new UnusedFields(),
          new OperatorKeys(),
          new OverwrittenKeys(),
          new OverwrittenTemplateFields());

  private SpecValidation() {}

  /**
   * All violations, not only the first; empty when the spec may be deployed. Pure.
   *
   * @param lastReconciled the spec deployed or being deployed; null before the first deployment
   */
  public static List<Violation> validate(
      FlinkDeployment resource, @Nullable FrozenSpec lastReconciled) {
    return validate(resource, lastReconciled, FlinkConfiguration.empty());
  }

  /**
   * As {@link #validate(FlinkDeployment, FrozenSpec)}, for an operator that adds Flink
   * configuration of its own.
   *
   * @param defaults what holds where the spec does not say; a key given here counts as given
   */
  public static List<Violation> validate(
      FlinkDeployment resource, @Nullable FrozenSpec lastReconciled, FlinkConfiguration defaults) {
    return apply(RULES, resource, lastReconciled, defaults).violations();
  }

  /**
   * Settings that are accepted but have no effect, each with its path; empty when there are none.
   * Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkDeployment resource) {
    return apply(EFFECTS, resource, null, FlinkConfiguration.empty()).warnings();
  }

  private static Report apply(
      List<Rule> rules,
      FlinkDeployment resource,
      @Nullable FrozenSpec lastReconciled,
      FlinkConfiguration defaults) {
    Subject subject =
        new Subject(
            Objects.requireNonNullElse(resource.getMetadata().getName(), ""),
            Objects.requireNonNullElse(resource.getMetadata().getNamespace(), ""),
            resource.getSpec(),
            defaults.withAll(resource.getSpec().configuration().asMap()),
            lastReconciled);
    Report report = new Report();
    rules.forEach(rule -> rule.check(subject, report));
    return report;
  }
}
