package dev.sluice.activities.deployment;

import dev.sluice.api.common.JobSpec;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import java.util.ArrayList;
import java.util.List;

/** One line on what a spec is: image and parallelism; never a configuration value. */
public final class Summary {

  private Summary() {}

  public static String of(FlinkDeploymentSpec spec) {
    List<String> parts = new ArrayList<>();
    if (spec.image() != null) {
      parts.add(spec.image());
    } else if (spec.flinkVersion() != null) {
      parts.add("Flink " + spec.flinkVersion().dotted());
    }
    JobSpec job = spec.job();
    if (job == null) {
      parts.add("session cluster");
    } else if (spec.taskManager().replicas() != null) {
      parts.add(spec.taskManager().replicas() + " TaskManagers");
    } else {
      parts.add("parallelism " + job.parallelism());
    }
    return String.join(", ", parts);
  }
}
