package dev.sluice.activities.manifest.cluster;

import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import dev.sluice.workflows.model.StateRef;
import java.util.Map;

/** Small targets for tests. */
final class Targets {
  static final String JOB_ID = "00112233445566778899aabbccddeeff";
  static final FlinkDeploymentSpec SPEC =
      FlinkDeploymentSpec.EMPTY
          .withImage("flink:2.2")
          .withFlinkVersion(FlinkVersion.V2_2)
          .withServiceAccount("flink")
          .withJobManager(new JobManagerSpec(new Resource(1.0, "1g", null), null, 1, null))
          .withTaskManager(new TaskManagerSpec(new Resource(1.0, "1g", null), null, null, null))
          .withJob(JobSpec.of("local:///job.jar", 1, UpgradeMode.SAVEPOINT));

  private Targets() {}

  static ClusterTarget of(FlinkDeploymentSpec spec) {
    return of(spec, JOB_ID, new StateRef.Empty("a test"));
  }

  static ClusterTarget of(FlinkDeploymentSpec spec, String jobId, StateRef restore) {
    return new ClusterTarget("shop", "orders", "uid-1", spec, 7, jobId, restore);
  }

  /** With those options beside the spec's own. */
  static ClusterTarget configured(Map<String, String> options) {
    return of(SPEC.withConfiguration(FlinkConfiguration.of(options)));
  }
}
