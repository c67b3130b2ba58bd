package dev.sluice.api.validation;

import dev.sluice.api.application.EnvironmentConfig;
import dev.sluice.api.application.FlinkApplication;
import dev.sluice.api.application.FlinkApplicationSpec;
import dev.sluice.api.application.ScaleMode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fields of the spec but for memory and Flink configuration; the definition has their shapes. */
final class ApplicationFieldRules implements ApplicationValidation.ApplicationRule {
  private static final Pattern NAME = Pattern.compile("[a-z]([-a-z\\d]{0,50}[a-z\\d])?");

  /** With another value the cluster would not find itself. */
  private static final Set<String> OURS = Set.of("FLINK_PROPERTIES", "HOST_IP");

  @Override
  public void check(FlinkApplication resource, Report report) {
    FlinkApplicationSpec spec = resource.getSpec();
    String name = Objects.requireNonNullElse(resource.getMetadata().getName(), "");
    if (!NAME.matcher(name).matches()) {
      report.add(
          "metadata.name",
          "must be at most 52 characters: lower-case letters, digits and '-', beginning with a"
              + " letter and not ending with '-', but is "
              + Printable.quoted(name)
              + ". Create the resource under another name");
    }
    required(
        "spec.image",
        spec.image(),
        "must name an image that has the jar, but is not given",
        report);
    required(
        "spec.jarName",
        spec.jarName(),
        "must be the name of a file in <web.upload.dir>/flink-web-upload of the image, without a"
            + " folder, but is not given",
        report);
    required("spec.entryClass", spec.entryClass(), "must name the main class of the job", report);
    required("spec.parallelism", spec.parallelism(), "must be given", report);
    checkPorts(spec, report);
    checkVersions(spec, report);
    checkEnvironment("spec.jobManagerConfig", spec.jobManagerConfig().envConfig(), report);
    checkEnvironment("spec.taskManagerConfig", spec.taskManagerConfig().envConfig(), report);
  }

  /** The definition requires them, but not of a resource that was there before it. */
  private static void required(String path, @Nullable Object value, String why, Report report) {
    if (value == null) {
      report.add(path, why);
    }
  }

  private static void checkPorts(FlinkApplicationSpec spec, Report report) {
    Map<Integer, String> taken = new HashMap<>();
    Map<String, Integer> ports = new LinkedHashMap<>();
    ports.put("spec.rpcPort", spec.rpcPort());
    ports.put("spec.queryPort", spec.queryPort());
    ports.put("spec.blobPort", spec.blobPort());
    ports.put("spec.uiPort", spec.uiPort());
    ports.put("spec.metricsQueryPort", spec.metricsQueryPort());
    ports.forEach(
        (path, port) -> {
          String other = taken.putIfAbsent(port, path);
          if (other != null) {
            report.add(path, "must differ from " + other + ", but both are " + port);
          }
        });
  }

  /** What a job starts from, and how one version takes the place of another. */
  private static void checkVersions(FlinkApplicationSpec spec, Report report) {
    String savepoint = spec.namedSavepoint();
    if (spec.savepointRedeployNonce() != null && savepoint == null) {
      report.add(
          "spec.savepointPath",
          "must name the savepoint to start from when spec.savepointRedeployNonce is given");
    }
    if (savepoint != null && savepoint.codePoints().anyMatch(Character::isISOControl)) {
      report.add(
          spec.savepointPath() == null
              ? "spec.savepointInfo.savepointLocation"
              : "spec.savepointPath",
          "must be the path of a savepoint, but is " + Printable.quoted(savepoint));
    }
    if (spec.scaleMode() == ScaleMode.IN_PLACE && spec.isBlueGreen()) {
      report.add(
          "spec.scaleMode",
          "InPlace needs spec.deploymentMode Dual, because BlueGreen keeps the old version as it"
              + " is. Use NewCluster");
    }
    if (spec.promotion() != null && !spec.isBlueGreen()) {
      report.add("spec.promotion", "needs spec.deploymentMode BlueGreen. Remove it");
    }
  }

  private static void checkEnvironment(String process, EnvironmentConfig config, Report report) {
    for (int i = 0; i < config.env().size(); i++) {
      String name = Objects.requireNonNullElse(config.env().get(i).getName(), "");
      if (OURS.contains(name)) {
        report.add(
            process + ".envConfig.env[" + i + "].name",
            "is "
                + name
                + ", which Sluice sets: the cluster would not start with another value. Remove it;"
                + " Flink's settings belong into spec.flinkConfig");
      }
    }
  }
}
