package dev.sluice.api.validation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.api.common.DefaultConfiguration;
import dev.sluice.api.common.FlinkConfiguration;
import dev.sluice.api.common.FlinkVersion;
import dev.sluice.api.common.JobSpec;
import dev.sluice.api.common.Resource;
import dev.sluice.api.common.UpgradeMode;
import dev.sluice.api.deployment.FlinkDeployment;
import dev.sluice.api.deployment.FlinkDeploymentSpec;
import dev.sluice.api.deployment.JobManagerSpec;
import dev.sluice.api.deployment.TaskManagerSpec;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A valid spec without warnings, and what validation says of it after a change. */
final class Specs {
  static final String NAME = "orders";
  static final JobSpec JOB = JobSpec.of("local:///a.jar", 2, UpgradeMode.STATELESS);
  static final FlinkDeploymentSpec VALID =
      FlinkDeploymentSpec.EMPTY
          .withImage("flink:1.20")
          .withFlinkVersion(FlinkVersion.V1_20)
          .withServiceAccount("flink")
          .withJobManager(new JobManagerSpec(new Resource(1.0, "1600m", null), null, 1, null))
          .withTaskManager(new TaskManagerSpec(new Resource(1.0, "2g", null), null, null, null))
          .withJob(JOB);

  private static final YAMLMapper YAML = new YAMLMapper();

  private Specs() {}

  static FlinkDeployment resource(FlinkDeploymentSpec spec) {
    FlinkDeployment resource = new FlinkDeployment();
    resource.setMetadata(
        new ObjectMetaBuilder()
            .withName(NAME)
            .withNamespace("shop")
            .withAnnotations(new HashMap<>())
            .build());
    resource.setSpec(spec);
    return resource;
  }

  /** With those Flink options. */
  static FlinkDeploymentSpec configured(Map<String, String> options) {
    return VALID.withConfiguration(FlinkConfiguration.of(options));
  }

  static FlinkDeploymentSpec configured(String key, String value) {
    return configured(Map.of(key, value));
  }

  static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static List<Violation> violations(FlinkDeploymentSpec spec) {
    return SpecValidation.validate(resource(spec), null, DefaultConfiguration.NONE);
  }

  static List<String> warnings(FlinkDeploymentSpec spec) {
    return SpecValidation.warnings(resource(spec)).stream().map(Warning::toString).toList();
  }
}
