package dev.sluice.api.validation;

import dev.sluice.api.bluegreen.BlueGreenOptions;
import dev.sluice.api.bluegreen.ChildTemplate;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.CutOver;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeploymentSpec;
import dev.sluice.api.bluegreen.FrozenBlueGreen;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.StateDirectories;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every rule that a FlinkBlueGreenDeployment must keep before anything is done for it: those of a
 * FlinkDeployment for its template, with the path of the template before theirs, and those of its
 * own. Apache's operator checks nothing of it.
 */
public final class BlueGreenValidation {
  private static final String TEMPLATE = "spec.template.";
  private static final String SPEC = "spec.";
  private static final String METADATA = "metadata.";
  private static final String JOB = "spec.template.spec.job";

  private BlueGreenValidation() {}

  /**
   * All violations, not only the first; empty when the spec may be deployed. Pure.
   *
   * @param last the last spec that was reached; null before the first
   * @param defaults Flink configuration that holds where the template does not say
   */
  public static List<Violation> validate(
      FlinkBlueGreenDeployment resource,
      @Nullable FrozenBlueGreen last,
      DefaultConfiguration defaults) {
    Report report = new Report();
    FlinkBlueGreenDeploymentSpec spec = resource.getSpec();
    checkName(name(resource), report);
    ClusterRules.checkIngress(parent(resource), report);
    new BlueGreenKeys(spec.configuration()).check(report);
    JobSpec job = spec.template().spec().job();
    if (job == null) {
      report.add(
          JOB,
          "must be given: one job is replaced by the next, and a session cluster has none of its"
              + " own. Use a FlinkDeployment for a session cluster");
    } else {
      ChangeRules.checkRedeploy(
          JOB, last == null ? null : last.spec().template().spec().job(), job, report);
      checkSavepoints(job, effective(resource, defaults), report);
    }
    List<Violation> all = new ArrayList<>(report.violations());
    Stream<Violation> ofChildren =
        job != null && cutsOver(spec)
            ? SessionChildren.of(resource).violations(defaults)
            : SpecValidation.validate(child(resource), null, defaults).stream();
    ofChildren
        .filter(it -> !it.path().equals("metadata.name"))
        .map(it -> new Violation(inTemplate(it.path()), it.message(), it.reason()))
        .forEach(all::add);
    return all.stream().distinct().toList();
  }

  /**
   * Settings that are accepted but have no effect, each with its path; empty when there are none.
   * Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkBlueGreenDeployment resource) {
    Report report = new Report();
    FlinkBlueGreenDeploymentSpec spec = resource.getSpec();
    ClusterRules.checkIngress(parent(resource), report);
    new BlueGreenKeys(spec.configuration()).warn(report);
    BlueGreenKeys.warnOfAnnotations(annotations(resource), report);
    if (spec.template().spec().ingress() != null) {
      report.warn(
          "spec.template.spec.ingress",
          "has no effect: the Ingress leads to the child that is live. Use spec.ingress");
    }
    Stream<Warning> ofChildren =
        cutsOver(spec)
            ? SessionChildren.of(resource).warnings()
            : SpecValidation.warnings(child(resource)).stream();
    ofChildren.forEach(it -> report.warn(inTemplate(it.path()), it.message()));
    return report.warnings();
  }

  private static boolean cutsOver(FlinkBlueGreenDeploymentSpec spec) {
    return BlueGreenOptions.of(spec.configuration()).cutOver() == CutOver.EXACTLY_ONCE;
  }

  /** A child as it would be: the name of the longer one, and no Ingress, which is the parent's. */
  private static FlinkDeployment child(FlinkBlueGreenDeployment resource) {
    ChildTemplate template = resource.getSpec().template();
    FlinkDeployment child = new FlinkDeployment();
    child.setMetadata(
        new ObjectMetaBuilder()
            .withName(Color.GREEN.child(name(resource)))
            .withNamespace(resource.getMetadata().getNamespace())
            .withGeneration(resource.getMetadata().getGeneration())
            .withAnnotations(template.metadata().annotations())
            .build());
    child.setSpec(template.spec().withIngress(null));
    return child;
  }

  /** For the rules of what the parent has like a FlinkDeployment: its Ingress. */
  private static Subject parent(FlinkBlueGreenDeployment resource) {
    return Subject.of(
        resource.getMetadata(),
        FlinkDeploymentSpec.EMPTY.withIngress(resource.getSpec().ingress()),
        null);
  }

  private static FlinkConfiguration effective(
      FlinkBlueGreenDeployment resource, DefaultConfiguration defaults) {
    FlinkDeploymentSpec own = resource.getSpec().template().spec();
    String namespace = Objects.requireNonNullElse(resource.getMetadata().getNamespace(), "");
    return own.over(defaults.forResource(namespace, own.flinkVersion())).configuration();
  }

  private static String name(FlinkBlueGreenDeployment resource) {
    return Objects.requireNonNullElse(resource.getMetadata().getName(), "");
  }

  private static Map<String, String> annotations(FlinkBlueGreenDeployment resource) {
    return Objects.requireNonNullElse(resource.getMetadata().getAnnotations(), Map.of());
  }

  /** {@code spec.job} as {@code spec.template.spec.job}. */
  private static String inTemplate(String path) {
    return path.startsWith(SPEC) || path.startsWith(METADATA) ? TEMPLATE + path : path;
  }

  private static void checkName(String name, Report report) {
    if (!ClusterRules.isName(Color.GREEN.child(name))) {
      report.add(
          "metadata.name",
          "must be at most 39 characters, because its children are called NAME-blue and NAME-green:"
              + " lower-case letters, digits and '-', beginning with a letter, but is "
              + Printable.quoted(name)
              + ". Create the resource under another name");
    }
  }

  /** Whatever the mode is, but for stateless: the live job runs on, so it is a savepoint. */
  private static void checkSavepoints(
      JobSpec job, FlinkConfiguration configuration, Report report) {
    if (job.upgradeMode() == UpgradeMode.LAST_STATE
        && StateDirectories.savepoints(configuration).isEmpty()) {
      report.add(
          TEMPLATE + Subject.keyPath(StateRules.SAVEPOINT_DIR),
          "must be given for upgradeMode last-state, too: the new job starts from a savepoint of"
              + " the live one, which runs on. Set it to durable storage");
    }
  }
}
