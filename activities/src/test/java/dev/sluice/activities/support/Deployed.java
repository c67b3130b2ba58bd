package dev.sluice.activities.support;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.workflows.model.ResourceRef;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;

/** A FlinkDeployment named {@code orders} that may be deployed. */
public final class Deployed {

  public static final FlinkDeploymentSpec SPEC =
      FlinkDeploymentSpec.EMPTY
          .withImage("flink:2.2")
          .withFlinkVersion(FlinkVersion.V2_2)
          .withServiceAccount("flink")
          .withConfiguration(
              FlinkConfiguration.of(
                  Map.of(
                      "state.savepoints.dir", "file:/savepoints",
                      "state.checkpoints.dir", "file:/checkpoints",
                      "kubernetes.operator.deployment.readiness.timeout", "2 min")))
          .withJobManager(new JobManagerSpec(new Resource(1.0, "1g", null), null, 1, null))
          .withTaskManager(new TaskManagerSpec(new Resource(1.0, "1g", null), null, null, null))
          .withJob(JobSpec.of("local:///job.jar", 2, UpgradeMode.SAVEPOINT));

  private Deployed() {}

  public static FlinkDeployment orders(String namespace) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName("orders").build());
    resource.setSpec(SPEC);
    return resource;
  }

  public static ResourceRef ref(FlinkDeployment resource) {
    return new ResourceRef(
        Refs.RESOURCE.kubernetes(),
        FlinkDeployment.KIND,
        resource.getMetadata().getNamespace(),
        resource.getMetadata().getName(),
        resource.getMetadata().getUid());
  }
}
