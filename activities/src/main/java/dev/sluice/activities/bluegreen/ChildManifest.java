package dev.sluice.activities.bluegreen;

import dev.sluice.api.Annotations;
import dev.sluice.api.Labels;
import dev.sluice.api.bluegreen.ChildMetadata;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.workflows.bluegreen.BlueGreenStanding.Source;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Renders a child of a FlinkBlueGreenDeployment: its newest template without the Ingress, which is
 * the parent's, and with what its job starts from. Pure: the same values give the same resource.
 */
final class ChildManifest {

  private ChildManifest() {}

  /** What the first job of a child starts from. */
  sealed interface Start {
    /** What the spec names, or nothing. */
    record OfSpec() implements Start {}

    /** Nothing, whatever the spec names. */
    record Empty() implements Start {}

    /** A savepoint or checkpoint, whatever the spec names. */
    record From(String path) implements Start {}

    /**
     * What the child was started from, which is not changed while it lives.
     *
     * @param job of the spec of the child
     */
    record Kept(JobSpec job) implements Start {}

    /**
     * What the first job of a child starts from; empty as long as that is not known.
     *
     * @param savepoint a savepoint of the live job, or what was known; null when there is none yet
     */
    static Optional<Start> of(Source source, @Nullable String savepoint) {
      return switch (source) {
        case SPEC -> Optional.of(new OfSpec());
        case EMPTY -> Optional.of(new Empty());
        case SAVEPOINT, KNOWN -> Optional.ofNullable(savepoint).map(From::new);
      };
    }
  }

  /** The child of that colour, ready to be applied. */
  static FlinkDeployment of(FlinkBlueGreenDeployment parent, Color color, Start start) {
    FlinkDeployment child = new FlinkDeployment();
    child.setMetadata(
        metadata(parent, color, parent.getSpec().template().metadata().annotations()));
    child.setSpec(spec(parent.getSpec().template().spec(), start));
    return child;
  }

  /**
   * @param annotations of the template, as far as they are for this resource
   */
  static ObjectMeta metadata(
      FlinkBlueGreenDeployment parent, Color color, Map<String, String> annotations) {
    ObjectMeta of = parent.getMetadata();
    ChildMetadata template = parent.getSpec().template().metadata();
    return new ObjectMetaBuilder()
        .withNamespace(of.getNamespace())
        .withName(color.child(of.getName()))
        .withLabels(template.labels())
        .addToLabels(Labels.MANAGED_BY, Labels.MANAGED_BY_SLUICE)
        .addToLabels(FlinkBlueGreenDeployment.LABEL, of.getName())
        .addToLabels(Color.LABEL, color.wire())
        .withAnnotations(annotations)
        .addToAnnotations(
            Annotations.GENERATION,
            Long.toString(Objects.requireNonNullElse(of.getGeneration(), 0L)))
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withApiVersion(FlinkBlueGreenDeployment.API_VERSION)
                .withKind(FlinkBlueGreenDeployment.KIND)
                .withName(of.getName())
                .withUid(of.getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build())
        .build();
  }

  private static FlinkDeploymentSpec spec(FlinkDeploymentSpec template, Start start) {
    FlinkDeploymentSpec spec = template.withIngress(null);
    JobSpec job = spec.job();
    return job == null ? spec : spec.withJob(job(job, start));
  }

  /** The job of the template, with what it starts from. */
  static JobSpec job(JobSpec job, Start start) {
    if (start instanceof Start.Empty) {
      return job.withInitialSavepointPath(null).withFlinkStateSnapshotReference(null);
    }
    if (start instanceof Start.From from) {
      return job.withInitialSavepointPath(from.path()).withFlinkStateSnapshotReference(null);
    }
    if (start instanceof Start.Kept kept) {
      return job.withInitialSavepointPath(kept.job().initialSavepointPath())
          .withFlinkStateSnapshotReference(kept.job().flinkStateSnapshotReference())
          .withSavepointRedeployNonce(kept.job().savepointRedeployNonce());
    }
    return job;
  }
}
