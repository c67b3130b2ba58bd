package dev.sluice.api.validation;

import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.SessionTemplate;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.condition.Reasons;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.KubernetesDeploymentMode;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;
import dev.sluice.api.validation.SessionJobValidation.SessionCluster;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The two resources of a child of an exactly-once cut-over as they would be: what holds for each of
 * them holds for the template.
 *
 * @param cluster the session cluster
 * @param job on it
 */
record SessionChildren(FlinkDeployment cluster, FlinkSessionJob job) {

  static SessionChildren of(FlinkBlueGreenDeployment resource) {
    SessionTemplate template = SessionTemplate.of(resource.getSpec().template());
    String name =
        Color.GREEN.child(Objects.requireNonNullElse(resource.getMetadata().getName(), ""));
    FlinkDeployment cluster = new FlinkDeployment();
    cluster.setMetadata(metadata(resource, name, template.clusterAnnotations()));
    cluster.setSpec(template.cluster());
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(metadata(resource, name, template.metadata().annotations()));
    job.setSpec(new FlinkSessionJobSpec(name, template.job(), null, null));
    return new SessionChildren(cluster, job);
  }

  private static ObjectMeta metadata(
      FlinkBlueGreenDeployment resource, String name, Map<String, String> annotations) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(resource.getMetadata().getNamespace())
        .withGeneration(resource.getMetadata().getGeneration())
        .withAnnotations(annotations)
        .build();
  }

  Stream<Violation> violations(DefaultConfiguration defaults) {
    FlinkDeploymentSpec own = cluster.getSpec();
    String namespace = Objects.requireNonNullElse(cluster.getMetadata().getNamespace(), "");
    FlinkDeploymentSpec effective = own.over(defaults.forResource(namespace, own.flinkVersion()));
    return Stream.of(
            SpecValidation.validate(cluster, null, defaults).stream(),
            standalone(own),
            SessionJobValidation.validate(job, null, SessionCluster.of(effective)).stream()
                .filter(it -> !it.path().equals("spec.deploymentName")),
            jarInImage(own.flinkVersion()))
        .flatMap(it -> it);
  }

  /** The cut-over was never run with TaskManagers that are a Deployment. */
  private static Stream<Violation> standalone(FlinkDeploymentSpec own) {
    return own.mode() == KubernetesDeploymentMode.STANDALONE
        ? Stream.of(
            new Violation(
                "spec.mode", "must be native for an exactly-once cut-over", Reasons.NOT_SUPPORTED))
        : Stream.empty();
  }

  /** Such a jar is put on the class path of the job, which says nothing of a main class. */
  private Stream<Violation> jarInImage(@Nullable FlinkVersion version) {
    JobSpec wanted = job.getSpec().job();
    String jar = wanted == null ? null : wanted.jarURI();
    if (wanted == null || jar == null || !jar.startsWith("local:")) {
      return Stream.empty();
    }
    if (version != null && !version.isAtLeast(FlinkVersion.V1_17)) {
      return Stream.of(
          new Violation(
              "spec.flinkVersion",
              "must be at least v1_17 for an exactly-once cut-over with a jar in the image"));
    }
    return wanted.entryClass() == null
        ? Stream.of(
            new Violation(
                "spec.job.entryClass",
                "must be given for an exactly-once cut-over with a jar in the image: the job runs on"
                    + " a session cluster"))
        : Stream.empty();
  }

  Stream<Warning> warnings() {
    return Stream.of(
            SpecValidation.warnings(cluster).stream(),
            SessionJobValidation.warnings(job, SessionCluster.of(cluster.getSpec())).stream(),
            late())
        .flatMap(it -> it);
  }

  private Stream<Warning> late() {
    FlinkDeploymentSpec spec = cluster.getSpec();
    return SessionTemplate.startsEarly(spec.flinkVersion())
        ? Stream.empty()
        : Stream.of(
            new Warning(
                "spec.flinkVersion",
                "has no TaskManagers that start before a job asks for them, as Flink has from 1.19"
                    + " on: they start within the pause of the cut-over. Use a newer Flink"));
  }
}
