package dev.sluice.api.validation;

import dev.sluice.api.application.EnvironmentConfig;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Environment that the pods cannot do with. */
final class ApplicationPodRules implements ApplicationValidation.ApplicationRule {
  /** With another value the cluster would not find itself. */
  private static final Set<String> OURS = Set.of("FLINK_PROPERTIES", "HOST_IP");

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    checkEnvironment("spec.jobManagerConfig", spec.jobManagerConfig().envConfig(), report);
    checkEnvironment("spec.taskManagerConfig", spec.taskManagerConfig().envConfig(), report);
  }

  private static void checkEnvironment(String process, EnvironmentConfig config, Report report) {
    List<EnvVar> variables = config.env();
    for (int i = 0; i < variables.size(); i++) {
      String path = process + ".envConfig.env[" + i + "].name";
      String name = Objects.requireNonNullElse(variables.get(i).getName(), "");
      if (OURS.contains(name)) {
        report.add(
            path,
            "is "
                + name
                + ", which Sluice sets: the cluster would not start with another value. Remove it;"
                + " Flink's settings belong into spec.flinkConfig");
      }
    }
  }
}
