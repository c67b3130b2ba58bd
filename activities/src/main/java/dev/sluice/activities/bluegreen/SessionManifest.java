package dev.sluice.activities.bluegreen;

import dev.sluice.activities.bluegreen.ChildManifest.Start;
import dev.sluice.api.bluegreen.Color;
import dev.sluice.api.bluegreen.FlinkBlueGreenDeployment;
import dev.sluice.api.bluegreen.SessionTemplate;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.sessionjob.FlinkSessionJob;
import dev.sluice.api.sessionjob.FlinkSessionJobSpec;

/** Renders a child that is a session cluster and a job on it, from the newest template. Pure. */
final class SessionManifest {

  private SessionManifest() {}

  /** The cluster, ready to be applied. */
  static FlinkDeployment cluster(FlinkBlueGreenDeployment parent, Color color) {
    SessionTemplate template = SessionTemplate.of(parent.getSpec().template());
    FlinkDeployment cluster = new FlinkDeployment();
    cluster.setMetadata(ChildManifest.metadata(parent, color, template.clusterAnnotations()));
    cluster.setSpec(template.cluster());
    return cluster;
  }

  /** The job on it. What that does not configure, its cluster does. */
  static FlinkSessionJob job(FlinkBlueGreenDeployment parent, Color color, Start start) {
    SessionTemplate template = SessionTemplate.of(parent.getSpec().template());
    JobSpec wanted = template.job();
    FlinkSessionJob job = new FlinkSessionJob();
    job.setMetadata(ChildManifest.metadata(parent, color, template.metadata().annotations()));
    job.setSpec(
        new FlinkSessionJobSpec(
            color.child(parent.getMetadata().getName()),
            wanted == null ? null : ChildManifest.job(wanted, start),
            null,
            null));
    return job;
  }
}
