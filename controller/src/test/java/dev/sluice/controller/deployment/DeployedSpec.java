package dev.sluice.controller.deployment;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import java.util.Map;

/** The spec of a {@link Deployed}, for tests. */
public final class DeployedSpec {

  private DeployedSpec() {}

  /** A valid spec. */
  public static FlinkDeploymentSpec valid() {
    return FlinkDeploymentSpec.EMPTY
        .withImage("flink:1.20")
        .withFlinkVersion(FlinkVersion.V1_20)
        .withServiceAccount("flink")
        .withJobManager(new JobManagerSpec(new Resource(0.5, "1g", null), null, 1, null))
        .withTaskManager(new TaskManagerSpec(new Resource(0.5, "1g", null), null, null, null))
        .withConfiguration(
            FlinkConfiguration.of(
                Map.of(
                    "state.savepoints.dir", "file:///state/savepoints",
                    "state.checkpoints.dir", "file:///state/checkpoints",
                    "taskmanager.numberOfTaskSlots", "2")))
        .withJob(JobSpec.of("local:///opt/flink/usrlib/job.jar", 3, UpgradeMode.SAVEPOINT));
  }
}
