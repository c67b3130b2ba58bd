package dev.sluice.api.validation;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.RestoreKeys;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.sessionjob.FrozenSessionJob;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Every rule that a FlinkSessionJob must keep before anything is done for it: those of Apache's
 * operator without its autoscaler's, and those of a FlinkDeployment that concern its job. What the
 * job does not configure, its session cluster does.
 */
public final class SessionJobValidation {
  private static final String RETENTION =
      "execution.checkpointing.externalized-checkpoint-retention";
  private static final String NOT_RETAINED =
      "last-state finds no checkpoint once the job is cancelled or has failed: Flink deletes them,"
          + " and takes the configuration of a job from 1.17 on, but the session cluster runs %s."
          + " Set %s: RETAIN_ON_CANCELLATION in its FlinkDeployment";
  private static final String DEPLOYMENT = "spec.deploymentName";

  private SessionJobValidation() {}

  /**
   * What is known of the session cluster.
   *
   * @param deployed something is deployed there. Otherwise the job waits for it
   * @param flinkVersion null when not known
   * @param configuration of the cluster, with the operator's defaults
   * @param application it runs a job of its own, and no other
   */
  public record SessionCluster(
      boolean deployed,
      @Nullable FlinkVersion flinkVersion,
      FlinkConfiguration configuration,
      boolean application) {
    /** Not there yet. */
    public static final SessionCluster MISSING =
        new SessionCluster(false, null, FlinkConfiguration.empty(), false);

    /** One that is deployed. */
    public static SessionCluster of(FlinkDeploymentSpec spec) {
      return new SessionCluster(
          true, spec.flinkVersion(), spec.configuration(), spec.isApplication());
    }
  }

  /**
   * All violations, not only the first; empty when the job may be started. Pure.
   *
   * <p>As long as the cluster is missing, what it may configure is not asked for.
   *
   * @param last the spec that is deployed or being deployed; null before the first deployment
   */
  public static List<Violation> validate(
      FlinkSessionJob resource, @Nullable FrozenSessionJob last, SessionCluster cluster) {
    FlinkSessionJobSpec spec = resource.getSpec();
    FlinkConfiguration merged =
        SessionJobKeys.merged(cluster.configuration(), spec.configuration());
    Report report =
        new Report(spec.configuration(), merged, "FlinkDeployment " + spec.deploymentName());
    checkDeployment(spec, last, cluster, report);
    JobSpec job = spec.job();
    if (job == null) {
      report.add("spec.job", "must be given: a FlinkSessionJob is one job");
      return report.violations();
    }
    if (job.jarURI() == null && job.entryClass() == null) {
      report.add(
          "spec.job.jarURI",
          "must be given, or spec.job.entryClass must name a class that the session cluster has on"
              + " its class path");
    }
    ChangeRules.checkRedeploy("spec.job", last == null ? null : last.spec().job(), job, report);
    ConfigurationRules.checkContradictions(spec.flinkConfiguration(), report);
    FlinkDeploymentSpec effective =
        spec.asDeployment().withFlinkVersion(cluster.flinkVersion()).withConfiguration(merged);
    Subject subject = Subject.of(resource.getMetadata(), effective, null);
    ConfigurationRules.checkEntries(subject, report);
    if (cluster.deployed()) {
      StateRules.checkDirectories(job, merged, report);
    }
    JobRules.checkJar(job.jarURI(), true, report);
    JobRules.check(subject, report);
    return report.violations();
  }

  /**
   * Settings that are accepted but have no effect, each with its path; empty when there are none.
   * Pure, and independent of whether the spec is valid.
   */
  public static List<Warning> warnings(FlinkSessionJob resource, SessionCluster cluster) {
    Report report = new Report();
    FlinkConfiguration own = resource.getSpec().configuration();
    FlinkVersion version = cluster.flinkVersion();
    boolean sent = version == null || version.isAtLeast(FlinkVersion.V1_17);
    String ofCluster =
        "has no effect: it is a setting of the session cluster. Set it in FlinkDeployment "
            + resource.getSpec().deploymentName();
    NoEffect.checkClaims(own, report);
    NoEffect.checkOperatorKeys(
        own,
        scope ->
            switch (scope) {
              case CLUSTER, SESSION -> ofCluster;
              case APPLICATION -> "has no effect in a FlinkSessionJob. Remove it";
              case DEFAULTS -> NoEffect.NOT_READ;
              default -> "";
            },
        report);
    for (String key : own.asMap().keySet()) {
      if (RestoreKeys.PATHS.contains(key)) {
        report.warnKey(key, "has no effect: spec.job.initialSavepointPath decides. Remove it");
      } else if (key.equals("execution.target") || key.startsWith("$internal.")) {
        report.warnKey(key, "has no effect: it is not sent to the session cluster. Remove it");
      } else if (SessionJobKeys.isOfCluster(key)) {
        report.warnKey(key, ofCluster);
      } else if (!sent && !KeyTable.isForOperator(key) && !RestoreKeys.ALL.contains(key)) {
        report.warnKey(
            key,
            "has no effect: Flink takes the configuration of a job from 1.17 on, but the session"
                + " cluster runs "
                + version);
      }
    }
    JobSpec job = resource.getSpec().job();
    if (!sent
        && job != null
        && job.upgradeMode() == UpgradeMode.LAST_STATE
        && !cluster.configuration().has(RETENTION)) {
      report.warn("spec.job.upgradeMode", NOT_RETAINED.formatted(version, RETENTION));
    }
    return report.warnings();
  }

  private static void checkDeployment(
      FlinkSessionJobSpec spec,
      @Nullable FrozenSessionJob last,
      SessionCluster cluster,
      Report report) {
    String name = Objects.requireNonNullElse(spec.deploymentName(), "");
    if (!ClusterRules.isName(name)) {
      report.add(
          DEPLOYMENT,
          "must name the FlinkDeployment, in the same namespace, whose session cluster runs the"
              + " job, but is "
              + Printable.quoted(name));
    }
    if (last != null && !name.equals(last.spec().deploymentName())) {
      report.add(
          DEPLOYMENT,
          "cannot be changed from %s to %s. Revert the change, or delete the resource and create it again"
              .formatted(
                  Printable.quoted(Objects.requireNonNullElse(last.spec().deploymentName(), "")),
                  Printable.quoted(name)));
    }
    if (cluster.application()) {
      report.add(
          DEPLOYMENT,
          "must name a session cluster, but FlinkDeployment "
              + name
              + " has a job of its own. Name one without spec.job");
    }
  }
}
