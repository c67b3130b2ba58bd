package dev.sluice.api.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.application.EnvironmentConfig;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Environment, volumes and mounts: what Kubernetes would refuse, or the pods cannot do with. */
final class ApplicationPodRules implements ApplicationValidation.ApplicationRule {
  /** With another value the cluster would not find itself. */
  private static final Set<String> OURS = Set.of("FLINK_PROPERTIES", "HOST_IP");

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    checkEnvironment("spec.jobManagerConfig", spec.jobManagerConfig().envConfig(), report);
    checkEnvironment("spec.taskManagerConfig", spec.taskManagerConfig().envConfig(), report);
    checkVolumes(spec.volumes(), report);
    checkMounts(spec, report);
  }

  private static void checkEnvironment(String process, EnvironmentConfig config, Report report) {
    List<EnvVar> variables = config.env();
    for (int i = 0; i < variables.size(); i++) {
      String path = process + ".envConfig.env[" + i + "].name";
      String name = Objects.requireNonNullElse(variables.get(i).getName(), "");
      if (name.isBlank() || name.indexOf('=') >= 0) {
        report.add(path, "must be the name of a variable, but is " + Printable.quoted(name));
      } else if (OURS.contains(name)) {
        report.add(
            path,
            "is "
                + name
                + ", which Sluice sets: the cluster would not start with another value. Remove it;"
                + " Flink's settings belong into spec.flinkConfig");
      }
    }
  }

  private static void checkVolumes(List<JsonNode> volumes, Report report) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < volumes.size(); i++) {
      String name = volumes.get(i).path("name").asText("");
      String path = "spec.volumes[" + i + "].name";
      if (name.isBlank()) {
        report.add(path, "must be given");
      } else if (!names.add(name)) {
        report.add(path, "is " + Printable.quoted(name) + " a second time. Give it another name");
      }
    }
  }

  private static void checkMounts(FlinkApplicationSpec spec, Report report) {
    Set<String> volumes = new HashSet<>();
    spec.volumes().forEach(volume -> volumes.add(volume.path("name").asText("")));
    Set<String> paths = new HashSet<>();
    List<VolumeMount> mounts = spec.volumeMounts();
    for (int i = 0; i < mounts.size(); i++) {
      String path = "spec.volumeMounts[" + i + "]";
      String name = Objects.requireNonNullElse(mounts.get(i).getName(), "");
      if (!volumes.contains(name)) {
        report.add(
            path + ".name", "must name one of spec.volumes, but is " + Printable.quoted(name));
      }
      String mounted = Objects.requireNonNullElse(mounts.get(i).getMountPath(), "");
      if (mounted.isBlank()) {
        report.add(path + ".mountPath", "must be given");
      } else if (!paths.add(mounted)) {
        report.add(
            path + ".mountPath",
            "is " + Printable.quoted(mounted) + " a second time. Mount it elsewhere");
      }
    }
  }
}
